// SPDX-License-Identifier: Apache-2.0

package import AnoleModels

extension WireRecording {
  /// Reads a recording.
  ///
  /// - Parameters:
  ///   - json: the document.
  ///   - bodies: reads a body file by its path beside the recording.
  package init(
    _ json: JSONValue, bodies: (String) throws(WireFormatError) -> [UInt8]
  ) throws(WireFormatError) {
    name = try Self.text(json, "name", in: "the recording")
    summary = json["description"]?.stringValue ?? ""
    siteCode = try Self.text(json, "siteCode", in: "the recording")
    settings = json["config"] ?? [:]
    if let credentials = json["credentials"], !credentials.isNull {
      self.credentials = Credentials(
        clientID: try Self.text(credentials, "clientId", in: "credentials"),
        clientSecret: try Self.text(credentials, "clientSecret", in: "credentials"))
    } else {
      credentials = nil
    }
    var steps: [RecordedStep] = []
    for (index, step) in (json["steps"]?.arrayValue ?? []).enumerated() {
      steps.append(try RecordedStep(Self.unshortened(step), number: index + 1))
    }
    self.steps = steps
    var exchanges: [RecordedExchange] = []
    for (index, exchange) in (json["exchanges"]?.arrayValue ?? []).enumerated() {
      exchanges.append(try RecordedExchange(exchange, sequence: index, bodies: bodies))
    }
    self.exchanges = exchanges
    try expandSummaries()
    guard !steps.isEmpty, !exchanges.isEmpty else {
      throw WireFormatError("the recording has no steps or no exchanges")
    }
  }

  fileprivate static func text(
    _ json: JSONValue?, _ key: String, in place: String
  ) throws(WireFormatError) -> String {
    guard let text = json?[key]?.stringValue else {
      throw WireFormatError("\"\(key)\" of \(place) is no text")
    }
    return text
  }
}

extension RecordedExchange {
  fileprivate init(
    _ json: JSONValue, sequence: Int, bodies: (String) throws(WireFormatError) -> [UInt8]
  ) throws(WireFormatError) {
    let place = "exchange \(sequence)"
    let name = try WireRecording.text(json, "endpoint", in: place)
    guard let endpoint = WireEndpoint(rawValue: name) else {
      throw WireFormatError("\(place): unknown endpoint \"\(name)\"")
    }
    self.sequence = sequence
    self.endpoint = endpoint
    request = try Request(json["request"], in: place)
    answer = try Answer(json["response"], in: place, bodies: bodies)
    millisecondsAfterPrevious =
      json["msAfterPreviousSameEndpoint"]?.integerValue.map { Int($0) }
  }

  fileprivate static func headers(_ json: JSONValue?) -> [Header] {
    (json?.objectValue ?? []).compactMap { member in
      member.value.stringValue.map { Header(name: member.key, value: $0) }
    }
  }
}

extension RecordedExchange.Request {
  fileprivate init(_ json: JSONValue?, in place: String) throws(WireFormatError) {
    method = try WireRecording.text(json, "method", in: place)
    scheme = try WireRecording.text(json, "scheme", in: place)
    host = try WireRecording.text(json, "host", in: place)
    port = json?["port"]?.integerValue.map { Int($0) }
    path = try WireRecording.text(json, "path", in: place)
    query = json?["query"]?.stringValue ?? ""
    headers = RecordedExchange.headers(json?["headers"])
    if let lines = json?["bodyLines"]?.arrayValue {
      var read: [TrackingLine] = []
      for line in lines {
        guard let text = line.stringValue else {
          throw WireFormatError("\(place): a line is no text")
        }
        read.append(try TrackingLine(parsing: text))
      }
      body = .lines(read)
    } else if let summary = json?["bodySummary"] {
      let visitors = summary["visitorCodesInOrder"]?.arrayValue?.compactMap(\.stringValue) ?? []
      body = .summary(lines: Int(summary["lines"]?.integerValue ?? 0), visitors: visitors)
    } else {
      body = (json?["body"]?.stringValue).map { .text($0) } ?? .none
    }
  }
}

extension RecordedExchange.Answer {
  fileprivate init(
    _ json: JSONValue?, in place: String,
    bodies: (String) throws(WireFormatError) -> [UInt8]
  ) throws(WireFormatError) {
    let isDropped = json?["drop"]?.boolValue ?? false
    let status = json?["status"]?.integerValue.map { Int($0) }
    guard isDropped || status != nil else {
      throw WireFormatError("\(place): the answer has neither a status nor \"drop\"")
    }
    self.status = isDropped ? nil : status
    headers = RecordedExchange.headers(json?["headers"])
    delayMilliseconds = Int(json?["delayMs"]?.integerValue ?? 0)
    if let file = json?["bodyFile"]?.stringValue {
      body = try bodies(file)
      contentType = "application/json"
    } else if let value = json?["jsonBody"] {
      body = Array(value.text().utf8)
      contentType = "application/json"
    } else if let text = json?["textBody"]?.stringValue {
      body = Array(text.utf8)
      contentType = "text/plain"
    } else {
      body = []
      contentType = nil
    }
  }
}
