// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleWireRecordings
import Foundation
import Testing

/// The recordings beside the tests.
enum RecordingFolder {
  static let path: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    return parts.joined(separator: "/") + "/Fixtures/wire"
  }()

  static func bytes(_ file: String) throws(WireFormatError) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: "\(path)/\(file)") else {
      throw WireFormatError("\(file) cannot be read")
    }
    return Array(data)
  }

  static func recording(_ name: String) throws -> WireRecording {
    try WireRecording(try JSONValue(parsing: try bytes("\(name).json")), bodies: bytes)
  }

  static func names() throws -> [String] {
    let files = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    let names = files.filter { $0.hasSuffix(".json") && !$0.hasPrefix("vectors_") }
      .map { String($0.dropLast(5)) }
    try #require(names.count == 80)
    return names
  }
}

/// A request as a test changes it.
struct SentRequest {
  var method: String
  var url: String
  var headers: [RecordedExchange.Header]
  var body: String
  var moment: Duration

  /// The lines of the body.
  var lines: [String] {
    get { body.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) } }
    set { body = newValue.joined(separator: "\n") }
  }

  mutating func set(_ name: String, _ value: String?) {
    headers.removeAll { $0.name == name }
    if let value { headers.append(.init(name: name, value: value)) }
  }

  mutating func replace(_ text: String, with other: String) {
    let changed = body.replacing(text, with: other)
    precondition(changed != body, "\(text) does not occur")
    body = changed
  }

  var observed: ObservedRequest {
    get throws {
      try ObservedRequest(
        method: method, url: url, headers: headers, body: Array(body.utf8), moment: moment)
    }
  }
}

/// A client that sends exactly what was recorded.
enum FaithfulClient {
  static let userAgent = "App/1 (Model; System 1)"

  /// The recorded requests with all placeholders filled in.
  static func requests(_ recording: WireRecording) -> [SentRequest] {
    var moments: [WireEndpoint: Duration] = [:]
    var latest = Duration.zero
    let minutes = recording.refreshIntervalMinutes ?? 1
    return recording.exchanges.map { exchange in
      let scale = minutes < 1 && exchange.endpoint != .tracking ? 1 / minutes : 1
      let span = Double(exchange.millisecondsAfterPrevious ?? 0) * scale
      let moment = (moments[exchange.endpoint] ?? latest) + .milliseconds(span)
      moments[exchange.endpoint] = moment
      latest = max(latest, moment)
      return request(exchange.request, at: moment)
    }
  }

  private static func request(
    _ recorded: RecordedExchange.Request, at moment: Duration
  ) -> SentRequest {
    let port = recorded.port.map { ":\($0)" } ?? ""
    let query = recorded.query.isEmpty ? "" : "?\(recorded.query)"
    var request = SentRequest(
      method: recorded.method,
      url: filled("\(recorded.scheme)://\(recorded.host)\(port)\(recorded.path)\(query)"),
      headers: recorded.headers.map { .init(name: $0.name, value: filled($0.value)) }, body: "",
      moment: moment)
    request.set("User-Agent", userAgent)
    switch recorded.body {
    case .none, .summary: break
    case .text(let text): request.body = text
    case .lines(let lines): request.body = body(lines)
    }
    return request
  }

  /// The lines with their nonces, and the user agent on each visitor's first one.
  static func body(_ lines: [TrackingLine]) -> String {
    var visitors: Set<TrackingLine.Visitor> = []
    return lines.map { line in
      var text = filled(line.text).replacing("{TIME_SINCE_PREVIOUS_VISIT}", with: "12345")
      text = text.replacing(line.nonce, with: nonce(line.nonce))
      if let start = text.firstRange(of: "&userAgent=") { text = String(text[..<start.lowerBound]) }
      guard visitors.insert(line.visitor).inserted else { return text }
      return text + "&userAgent=App%2F1%20(Model%3B%20System%201)"
    }.joined(separator: "\n")
  }

  /// A nonce for a placeholder, always the same.
  static func nonce(_ placeholder: String) -> String {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in placeholder.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func filled(_ text: String) -> String {
    text.replacing("{SDK_NAME}", with: "SWIFT").replacing("{SDK_VERSION}", with: "1.2.3")
  }
}

/// What a ledger finds wrong with requests.
func findings(
  _ requests: [SentRequest], in recording: WireRecording, pool: Set<Int> = []
) throws -> [String] {
  var ledger = ExchangeLedger(recording, pool: pool)
  for request in requests { _ = ledger.take(try request.observed) }
  return ledger.finish()
}
