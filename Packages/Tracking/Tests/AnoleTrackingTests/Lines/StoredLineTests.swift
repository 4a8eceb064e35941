// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleTracking

/// Every kind of event, in the order in which a visitor's lines leave.
private let orderedEvents: [TrackingEvent] = [
  .activity, .device(.phone), .browser(Browser(type: .chrome, version: 1)),
  .operatingSystem(.iOS), .geolocation(Geolocation(country: "F")),
  .visits(previousCount: 1, timeSincePrevious: .seconds(1)), .customData(index: 1, values: []),
  .pageView(url: "/"), .experiment(experimentID: 1, variationID: 2), .targetedSegment(id: 3),
  .conversion(goalID: 4),
]

@Suite("Stored lines")
struct StoredLineTests {
  @Test("an event comes back as its line, and whom it is about")
  func roundTrip() throws {
    let bytes = try record(conversion(7), nonce: 0xAB, of: .mappingValue("user é"))
    let stored = try #require(StoredLine(bytes))
    #expect(
      stored.text
        == "nonce=00000000000000AB&eventType=conversion&goalId=7&revenue=0&negative=false"
        + "&mappingValue=user%20%C3%A9")
    #expect(stored.identityText == "mappingValue=user%20%C3%A9")
  }

  @Test("an identity of any length is found again", arguments: [0, 1, 255, 256, 70_000])
  func longIdentities(_ length: Int) throws {
    let code = String(repeating: "x", count: length)
    #expect(try line(.activity, of: code).identityText == "visitorCode=" + code)
  }

  @Test("kinds are ranked in the order of a visitor's lines, activity first")
  func ranks() throws {
    #expect(try orderedEvents.map { try line($0).rank } == Array(0...StoredLine.lastRank))
  }

  @Test("a page view without URL is nothing to store")
  func noLine() {
    #expect(
      StoredLine.record(of: .pageView(url: ""), nonce: Nonce(1), identity: .visitorCode("v")) == nil
    )
  }

  @Test("cut, changed and foreign bytes are refused, not sent")
  func garbage() throws {
    let good = try record(conversion(7), of: .visitorCode("visitor"))
    #expect(StoredLine(good) != nil)
    for length in 0..<35 { #expect(StoredLine(Array(good.prefix(length))) == nil) }
    for position in 0..<28 {
      for value: UInt8 in [0, 10, 32, 61, 90, 200, 255] where good[position] != value {
        var changed = good
        changed[position] = value
        // A hexadecimal digit in place of another, and another kind, are not to be told.
        let isHarmless =
          (12..<28).contains(position) && value == 61 ? false : position == 1 && value <= 10
        if !isHarmless { #expect(StoredLine(changed) == nil, "\(position): \(value)") }
      }
    }
    for position in good.indices.dropFirst(6) {
      var broken = good
      broken[position] = 10
      #expect(StoredLine(broken) == nil)
    }
    #expect(StoredLine([]) == nil)
    #expect(
      StoredLine(Array("nonce=0000000000000001&eventType=activity&visitorCode=v".utf8)) == nil)
    #expect(StoredLine([1, 0, 255, 255, 255, 255] + good.dropFirst(6)) == nil)
  }
}
