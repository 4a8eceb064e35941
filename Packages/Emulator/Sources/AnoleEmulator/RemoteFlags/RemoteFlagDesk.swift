// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Answers the device API, version 1.3: flags, registrations and events.
struct RemoteFlagDesk: Sendable {
  private var rules: [String?: RemoteFlagRules] = [:]
  /// Goes up with every change of rules.
  private(set) var revision = 0
  /// The device API token; nil if none is asked for.
  var token: String?

  /// Puts rules in place; nil stands for every application that has none of its own.
  mutating func set(_ rules: RemoteFlagRules?, application: String?) {
    self.rules[application] = rules
    revision += 1
  }

  /// The rules that were set for exactly this application.
  func rules(of application: String?) -> RemoteFlagRules? { rules[application] }

  /// The applications with rules, that for all others first.
  var applications: [String?] { rules.keys.sorted { ($0 ?? "") < ($1 ?? "") } }

  /// Answers a request whose method fits its route.
  func answer(to request: Request, body: [UInt8]?, route: Route) -> Answer {
    if let token, request.head.fields.value(named: "Authorization") != "Token \(token)" {
      return Self.refusal(401, "The device API token is missing or wrong.")
    }
    guard let body else {
      return Self.refusal(400, "The body does not decode by its Content-Encoding.")
    }
    guard let message = DeviceMessage(body) else {
      return Self.refusal(
        400, "The body must be {\"request\": {…}} with application and hwid, both strings.")
    }
    switch route {
    case .featureFlags:
      guard let rules = rules[message.application] ?? rules[nil] else {
        return Self.success(["flags": [], "partial": false])
      }
      return Self.success(rules.response(for: message.subject))
    case .postEvent:
      guard message.event != nil, message.attributes != nil else {
        return Self.refusal(400, "The request needs event, a string, and attributes, an object.")
      }
      return Self.success([:])
    default:
      return Self.success(.null)
    }
  }

  private static func success(_ response: JSONValue) -> Answer {
    envelope(200, "OK", response)
  }

  private static func refusal(_ status: Int, _ message: String) -> Answer {
    envelope(status, message, .null)
  }

  private static func envelope(_ status: Int, _ message: String, _ response: JSONValue) -> Answer {
    let body: JSONValue = [
      "status_code": .number(.integer(Int64(status))), "status_message": .string(message),
      "response": response,
    ]
    return .json(Array(body.text().utf8), status: status)
  }
}

/// A request to the device API: the fields the emulator looks at.
struct DeviceMessage {
  let application: String
  let subject: RemoteFlagRules.Subject
  let event: String?
  let attributes: JSONValue?

  /// nil if the body is not the envelope with an application and a device.
  init?(_ body: [UInt8]) {
    // What is no JSON is no message; the answer says so.
    guard let json = try? JSONValue(parsing: body), let request = json["request"],
      let application = request["application"]?.stringValue, !application.isEmpty,
      let device = request["hwid"]?.stringValue, !device.isEmpty
    else { return nil }
    self.application = application
    let user = request["userId"]?.stringValue ?? device
    subject = RemoteFlagRules.Subject(device: device, user: user)
    event = request["event"]?.stringValue
    attributes = request["attributes"].flatMap { $0.objectValue == nil ? nil : $0 }
  }
}
