// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension ControlEndpoint {
  /// The longest delay or interval, in milliseconds: a day.
  private static let maximumMilliseconds: Int64 = 86_400_000
  /// The largest bomb, in megabytes: making it takes a second.
  private static let maximumBomb: Int64 = 512
  /// The largest length or count of bytes.
  private static let maximumLength: Int64 = 1 << 40

  static func addFault(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow(
      "route", "times", "chance", "delayMs", "behaviour", "raw", "rawBase64", "status", "headers",
      "contentType", "json", "text", "base64", "html", "cutAfter", "announcedLength", "dripBytes",
      "dripMs", "closeAfterAnswer", "encoding", "bombMegabytes", "interim", "trailers", "slowHead")
    let route = try arguments.route()
    let chance = try arguments.number("chance")
    let times = try arguments.integer("times", in: 1...1_000_000)
    let delay = try milliseconds("delayMs", arguments) ?? .zero
    let fault = Fault(try action(arguments), delay: delay)
    if let chance {
      guard times == nil, (0...1).contains(chance) else {
        throw ControlError(400, "chance must be from 0 to 1, and without times.")
      }
      guard platform.faults.add(fault, to: route, probability: chance) else {
        throw ControlError(400, "Too many faults are met by chance: clear them first.")
      }
      return [:]
    }
    guard let route else { throw ControlError(400, "route is missing.") }
    guard platform.faults.add(fault, to: route, times: times) else {
      throw ControlError(400, "Too many faults wait for this route: clear them first.")
    }
    return ["pending": .number(.integer(Int64(platform.faults.pending(for: route))))]
  }

  static func clearFaults(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow("route")
    platform.faults.clear(try arguments.route())
    return [:]
  }

  private static func action(_ arguments: ControlArguments) throws(ControlError) -> Fault.Action {
    switch try arguments.text("behaviour") {
    case "neverAnswer": return .neverAnswer
    case "closeBeforeReading": return .closeBeforeReading
    case "closeAfterReading": return .closeAfterReading
    case nil: break
    default:
      throw ControlError(
        400, "behaviour must be neverAnswer, closeBeforeReading or closeAfterReading.")
    }
    if let raw = try arguments.bytes(json: nil, text: "raw", base64: "rawBase64") {
      return .raw(raw, drip: try drip(arguments))
    }
    return .answer(try changes(arguments))
  }

  private static func changes(_ arguments: ControlArguments) throws(ControlError) -> Fault.Changes {
    var changes = Fault.Changes()
    changes.status = try arguments.integer("status", in: 200...999)
    changes.body = try arguments.bytes(json: "json", text: "text", base64: "base64")
    if try arguments.bool("html") == true,
      case .answer(let page) = Fault.html(status: changes.status ?? 502).action
    {
      changes = page
    }
    if let contentType = try arguments.text("contentType") { changes.contentType = contentType }
    changes.headers = try fields("headers", arguments)
    changes.trailers = try fields("trailers", arguments)
    changes.interim = try arguments.integer("interim", in: 100...199).map { [$0] } ?? []
    changes.dripsHead = try arguments.bool("slowHead") ?? false
    try encode(&changes, arguments)
    changes.cutAfter = try arguments.integer("cutAfter", in: 0...maximumLength)
    changes.announcedLength = try arguments.integer("announcedLength", in: 0...maximumLength)
    changes.drip = try drip(arguments)
    changes.closesAfterwards = try arguments.bool("closeAfterAnswer") ?? false
    if let contentType = changes.contentType { try check("Content-Type", contentType) }
    return changes
  }

  private static func encode(
    _ changes: inout Fault.Changes, _ arguments: ControlArguments
  ) throws(ControlError) {
    if let name = try arguments.text("encoding") {
      guard let encoding = Fault.ContentEncoding(rawValue: name) else {
        let names = Fault.ContentEncoding.allCases.map(\.rawValue).joined(separator: ", ")
        throw ControlError(400, "encoding must be one of: \(names).")
      }
      changes.encoding = encoding
    }
    guard let megabytes = try arguments.integer("bombMegabytes", in: 1...maximumBomb) else {
      return
    }
    // It is compressed already: the encoding is only named.
    let encoding = changes.encoding ?? .gzip
    changes.encoding = nil
    changes.body = encoding.bomb(size: megabytes << 20)
    changes.headers.append(encoding.field)
  }

  private static func fields(
    _ list: String, _ arguments: ControlArguments
  ) throws(ControlError) -> [HeaderField] {
    var fields: [HeaderField] = []
    for (name, value) in try arguments.texts(list) ?? [] {
      try check(name, value)
      fields.append(HeaderField(name, value))
    }
    return fields
  }

  private static func check(_ name: String, _ value: String) throws(ControlError) {
    if HeaderField.isValid(name: name, value: value) { return }
    throw ControlError(400, "\(name.debugDescription) is not a header field that can be sent.")
  }

  private static func drip(_ arguments: ControlArguments) throws(ControlError) -> Fault.Drip? {
    let interval = try milliseconds("dripMs", arguments)
    guard let bytes = try arguments.integer("dripBytes", in: 1...maximumLength) else { return nil }
    return Fault.Drip(bytes: bytes, interval: interval ?? .milliseconds(10))
  }

  private static func milliseconds(
    _ name: String, _ arguments: ControlArguments
  ) throws(ControlError) -> Duration? {
    try arguments.integer(name, in: 0...maximumMilliseconds).map { .milliseconds($0) }
  }
}
