// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleModels
import AnoleTracking
import AnoleWireRecordings
@_spi(AnoleConformance) import kameleoonClient

/// The tracking line of one datum.
enum LineVectors {
  /// The index that marks the mapping identifier, where a case is about one.
  private static let mappingIndex: Int64 = 3

  /// A case of `vectors_event_lines`.
  static func line(_ item: JSONValue) async throws -> WireVectors.Outcome {
    guard let data = item["data"] else { throw WireFormatError("the case has no data") }
    let text = try item.text("line")
    switch try data.text("type") {
    case "experiment", "targetingSegment", "visits":
      return try compare(expected: text, actual: try encoded(data))
    default:
      let lines = try await sentLines(data)
      guard !text.isEmpty else {
        let surplus = lines.first { !$0.isAllowedExtra }
        return surplus.map { .differs("nothing was expected, got \($0.text)") } ?? .passed
      }
      let isActivity = try data.text("type") == "activity"
      let own = lines.filter { isActivity ? $0.kind == .activity : $0.kind != .activity }
      guard own.count == 1 else { return .differs("one line was expected, got \(own.map(\.text))") }
      return try compare(expected: text, actual: own[0].text)
    }
  }

  private static func compare(
    expected: String, actual: String
  ) throws(WireFormatError) -> WireVectors.Outcome {
    let wanted = try TrackingLine(parsing: expected + "&visitorCode=visitor-1")
    let found = wanted.difference(to: try TrackingLine(parsing: actual))
    return found.map { .differs("\($0) in \(actual)") } ?? .passed
  }

  // MARK: - Through a client

  /// The lines of an instant flush after the datum was added; what every visitor sends has left before.
  private static func sentLines(_ data: JSONValue) async throws -> [TrackingLine] {
    let isMapping = data["type"] == "mappingIdentifier"
    let answers =
      isMapping
      ? VectorPlatform.Answers(dataFile: mappingDataFile) : VectorPlatform.Answers()
    return try await VectorClient.with(answers: answers) { client in
      try await client.passStart()
      let earlier = client.count(.tracking)
      try add(data, to: client)
      try await client.flush()
      guard client.count(.tracking) == earlier + 1, let request = client.lastRequest(.tracking)
      else { throw WireFormatError("\(client.count(.tracking) - earlier) requests were sent") }
      return try ObservedRequest(request, at: .zero).lines()
    }
  }

  private static func add(_ data: JSONValue, to client: VectorClient) throws {
    let type = try data.text("type")
    guard type != "activity" else { return }
    var item = data
    if type == "mappingIdentifier" {
      let others = (data.objectValue ?? []).filter { $0.key != "type" }
      item = .object(others + [.init(key: "type", value: "customData")])
    }
    if let publicItems = try WireData.publicItems([item]) {
      client.client.addData(track: true, publicItems)
    } else {
      let now = Timestamp(milliseconds: client.time.wallClock.milliseconds)
      WireBench.add([try WireData.datum(item, now: now)], isTracked: true, to: client.client)
    }
  }

  private static let mappingDataFile: JSONValue = [
    "customData": [
      [
        "id": 1, "index": .number(.integer(mappingIndex)), "name": "user id", "scope": "VISITOR",
        "localOnly": false, "isMappingIdentifier": true,
      ]
    ]
  ]

  // MARK: - Through the encoder

  /// Events that no call adds by itself: their encoder's line.
  private static func encoded(_ data: JSONValue) throws -> String {
    let event: TrackingEvent =
      switch try data.text("type") {
      case "experiment":
        .experiment(
          experimentID: try data.integer("id"), variationID: try data.integer("variationId"))
      case "targetingSegment": .targetedSegment(id: try data.integer("id"))
      default:
        .visits(
          previousCount: Int(try data.integer("visitNumber")),
          timeSincePrevious: .milliseconds(try data.integer("timeSincePreviousVisit")))
      }
    var lines = EventLines()
    lines.append(
      event, nonce: Nonce(0x0123_4567_89AB_CDEF), identity: .visitorCode("visitor-1"))
    return String(decoding: lines.bytes, as: UTF8.self)
  }
}
