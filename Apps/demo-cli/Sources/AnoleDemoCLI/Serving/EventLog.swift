// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels

/// A file of the events that a server has received: one JSON document a line.
struct EventLog: Sendable {
  private let path: String
  private let environment: Environment

  /// Begins or goes on with a file.
  ///
  /// - Throws: a sentence if it cannot be written.
  init(_ path: String, in environment: Environment) throws(Failure) {
    self.path = path
    self.environment = environment
    try environment.append([], path)
  }

  /// Adds the events of a request, if it has any.
  func add(_ request: RecordedRequest) throws(Failure) {
    let lines = Self.documents(of: request, at: environment.now()).map { $0.text() + "\n" }
    if !lines.isEmpty { try environment.append(Array(lines.joined().utf8), path) }
  }

  private static func documents(of request: RecordedRequest, at time: Timestamp) -> [JSONValue] {
    func document(_ visitor: String?, _ event: JSONValue, _ findings: [JSONValue]?) -> JSONValue {
      .members([
        ("time", .id(time.milliseconds)), ("request", .count(request.sequence)),
        ("route", .string(request.route.rawValue)), ("status", request.status.map(JSONValue.count)),
        ("visitor", visitor.map(JSONValue.string)), ("event", event),
        ("findings", findings.map(JSONValue.array)),
      ])
    }
    if let tracking = request.tracking {
      return tracking.events.enumerated().map { position, event in
        let members = event.parameters.map {
          JSONValue.Member(key: $0.name, value: .string($0.value))
        }
        let findings = tracking.findings.filter { $0.line == position + 1 }
        return document(event.visitor, .object(members), findings.map { .string("\($0)") })
      }
    }
    // A body that is no JSON holds no event.
    guard request.route == .postEvent, let body = try? JSONValue(parsing: request.text),
      let event = body["request"]
    else { return [] }
    return [document(event["userId"]?.stringValue, event, nil)]
  }
}
