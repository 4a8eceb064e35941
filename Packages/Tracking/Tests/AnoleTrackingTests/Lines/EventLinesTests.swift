// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTracking
import Testing

private struct LineCase: Sendable, CustomTestStringConvertible {
  let event: TrackingEvent
  let text: String
  init(_ event: TrackingEvent, _ text: String) {
    self.event = event
    self.text = text
  }
  var testDescription: String { text }
}

/// Exact bytes between the event type and the identity (network specification, 3.4 to 3.6).
private let lineCases: [LineCase] = [
  LineCase(.activity, "activity"),
  LineCase(
    .customData(index: 5, values: ["é"]),
    "customData&index=5&valuesCountMap=%7B%22%C3%A9%22%3A1%7D&overwrite=true"),
  LineCase(
    .customData(index: 5, values: ["a", "b", "a", "c"]),
    "customData&index=5&valuesCountMap=%7B%22a%22%3A1%2C%22b%22%3A1%2C%22c%22%3A1%7D"
      + "&overwrite=true"),
  LineCase(
    .customData(index: 5, values: ["é", "e\u{301}"]),
    "customData&index=5&valuesCountMap=%7B%22%C3%A9%22%3A1%2C%22e%CC%81%22%3A1%7D&overwrite=true"),
  LineCase(
    .customData(index: 1, values: ["a\n\u{1}/"]),
    "customData&index=1&valuesCountMap=%7B%22a%5Cn%5Cu0001%2F%22%3A1%7D&overwrite=true"),
  LineCase(.conversion(goalID: 1), "conversion&goalId=1&revenue=0&negative=false"),
  LineCase(
    .conversion(goalID: 1, revenue: -0.0), "conversion&goalId=1&revenue=0&negative=false"),
  LineCase(
    .conversion(goalID: 1, revenue: -0.05), "conversion&goalId=1&revenue=-0.05&negative=false"),
  LineCase(
    .conversion(goalID: 1, revenue: 12.5, isNegative: true),
    "conversion&goalId=1&revenue=12.5&negative=true"),
  LineCase(
    .conversion(goalID: 1, revenue: 1e21),
    "conversion&goalId=1&revenue=1000000000000000000000&negative=false"),
  LineCase(
    .conversion(goalID: 1, revenue: 1.5e-7),
    "conversion&goalId=1&revenue=0.00000015&negative=false"),
  LineCase(
    .conversion(goalID: 1, revenue: 0.1 + 0.2),
    "conversion&goalId=1&revenue=0.30000000000000004&negative=false"),
  LineCase(.conversion(goalID: 1, revenue: .nan), "conversion&goalId=1&revenue=0&negative=false"),
  LineCase(
    .conversion(goalID: 1, revenue: .infinity), "conversion&goalId=1&revenue=0&negative=false"),
  LineCase(
    .conversion(
      goalID: 1,
      metadata: [
        .init(index: 7, values: ["m", "m"]), .init(index: 7, values: ["n"]),
        .init(index: 8, values: []),
      ]),
    "conversion&goalId=1&revenue=0&negative=false"
      + "&metadata=%7B%227%22%3A%5B%22m%22%2C%22m%22%5D%2C%228%22%3A%5B%5D%7D"),
  LineCase(.geolocation(Geolocation(country: "")), "geolocation"),
  LineCase(.geolocation(Geolocation(country: "", latitude: 0)), "geolocation&latitude=0"),
  LineCase(
    .browser(Browser(type: .other, version: 0)), "staticData&browserIndex=5"),
  LineCase(
    .visits(previousCount: 2, timeSincePrevious: .milliseconds(1_234) + .microseconds(999)),
    "staticData&visitNumber=2&timeSincePreviousVisit=1234"),
  LineCase(.pageView(url: "/", title: ""), "page&href=%2F"),
  LineCase(
    .experiment(experimentID: .min, variationID: .max),
    "experiment&id=-9223372036854775808&variationId=9223372036854775807"),
]

@Suite("Event lines")
struct EventLinesTests {
  private static func text(_ lines: EventLines) -> String {
    String(decoding: lines.bytes, as: UTF8.self)
  }

  @Test("have exactly these bytes", arguments: lineCases)
  fileprivate func bytes(_ row: LineCase) {
    var lines = EventLines()
    lines.append(row.event, nonce: Nonce(0), identity: .visitorCode("v"))
    #expect(
      Self.text(lines) == "nonce=0000000000000000&eventType=\(row.text)&visitorCode=v")
  }

  @Test("are joined by single line feeds; an event without line adds none")
  func joining() {
    var lines = EventLines(capacity: 100)
    lines.append(.activity, nonce: Nonce(1), identity: .visitorCode("a"))
    lines.append(.pageView(url: ""), nonce: Nonce(2), identity: .visitorCode("a"))
    lines.append(
      .targetedSegment(id: 9), nonce: Nonce(.max), identity: .mappingValue("user 1"),
      userAgent: "Shop/1 (Linux)")
    #expect(lines.count == 2)
    #expect(
      Self.text(lines) == """
        nonce=0000000000000001&eventType=activity&visitorCode=a
        nonce=FFFFFFFFFFFFFFFF&eventType=targetingSegment&id=9&mappingValue=user%201\
        &userAgent=Shop%2F1%20(Linux)
        """)
  }

  @Test("an empty user agent is left out")
  func emptyUserAgent() {
    var lines = EventLines()
    lines.append(.activity, nonce: Nonce(1), identity: .visitorCode("a"), userAgent: "")
    #expect(Self.text(lines) == "nonce=0000000000000001&eventType=activity&visitorCode=a")
  }

  @Test("nonces are random, and the same seed gives the same ones")
  func nonces() {
    var system = SystemRandomNumberGenerator()
    let random = Set((0..<10_000).map { _ in Nonce(using: &system) })
    #expect(random.count == 10_000)
  }
}
