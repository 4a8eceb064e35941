// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@Suite("Stored visitor records")
struct StoredRecordTests {
  /// A record with every kind of data, some sent, some not.
  private var full: VisitorRecord {
    var visitor = Visitor()
    visitor.record.noteActivity(at: time(1))
    visitor.record.noteActivity(at: time(9_000_000))
    visitor.load(.keyMomentScores([1: [2: 3.5, 4: 0], 7: [1: 100]]))
    visitor.load(.banditScores(BanditScores([1: [2: 3, 3: 3, 4: 9], 5: [6: 1]])))
    visitor.add(.device(.phone))
    visitor.add(.customData(index: 1, values: ["sent", "é", "e\u{301}"], isOverwriting: false))
    visitor.add(.pageView(url: "/sent", title: "t", referrers: [1]))
    visitor.add(.conversion(Conversion(goalID: 9, revenue: 0.1, time: time(3))))
    visitor.record.save(
      experimentID: 1, variationID: 2, origin: .targetedDelivery, at: time(4), isTracked: true)
    visitor.record.add(targetedSegment: 5)
    visitor.record.markPendingEventsSent(isConsentRequired: false)
    visitor.add(.customData(index: 2, values: ["user\u{0}\"\\\n"]))
    visitor.add(.customData(index: 3, values: []))
    visitor.add(.operatingSystem(.windowsPhone))
    visitor.add(.geolocation(Geolocation(country: "FR", city: "Lyon", latitude: -0.5)))
    visitor.add(.browser(Browser(type: .internetExplorer, version: 11.5)))
    visitor.add(.applicationVersion("1.2.3"))
    visitor.add(.cookies([Cookie(name: "", value: "b"), Cookie(name: "n", value: "")]))
    visitor.add(.pageView(url: "/new", title: nil))
    let metadata = [ConversionMetadata(index: 3, values: ["x", "x"])]
    visitor.add(
      .conversion(
        Conversion(goalID: 7, revenue: -2.25, isNegative: true, time: time(9), metadata: metadata)))
    visitor.add(.personalization(Personalization(id: 1, variationID: -2, time: time(-5))))
    visitor.record.save(
      experimentID: 3, variationID: 4, origin: .experimentation, at: time(8), isTracked: true)
    visitor.record.add(targetedSegment: 6)
    visitor.record.setLegalConsent(false)
    return visitor.record
  }

  @Test("a record reads back as it was written")
  func roundTrip() throws {
    let record = full
    let copy = try VisitorRecord(decoding: record.encoded())
    #expect(copy == record)
    #expect(copy.encoded() == record.encoded())
    #expect(
      copy.pendingEvents(isConsentRequired: false)
        == record.pendingEvents(isConsentRequired: false))
    let groups = copy.profile?.banditScores?.groups(of: 1)
    #expect(groups == [[4], [2, 3]])
    var changed = copy
    changed.expireData(addedBefore: time(.max))
    var expected = record
    expected.expireData(addedBefore: time(.max))
    #expect(changed == expected)
  }

  @Test("a stranger's record is small and has no profile")
  func empty() throws {
    let record = VisitorRecord(visitStart: time(7))
    #expect(String(decoding: record.encoded(), as: UTF8.self) == #"{"schema":1,"visitStart":7}"#)
    #expect(try VisitorRecord(decoding: record.encoded()) == record)
  }

  @Test("the state of consent survives, unknown too", arguments: [nil, true, false])
  func consent(_ answer: Bool?) throws {
    var record = VisitorRecord(visitStart: time(0))
    record.add(targetedSegment: 1)
    if let answer { record.setLegalConsent(answer) }
    #expect(try VisitorRecord(decoding: record.encoded()).consent == record.consent)
  }

  @Test("forced variations last as long as the process")
  func forced() throws {
    var record = VisitorRecord(visitStart: time(0))
    record.force(
      ForcedVariation(experimentID: 1, entry: SplitEntry(), isTargetingForced: true))
    #expect(try VisitorRecord(decoding: record.encoded()).profile == nil)
  }

  @Test("what is no number for JSON is stored as zero")
  func notFinite() throws {
    var visitor = Visitor()
    visitor.add(.conversion(Conversion(goalID: 1, revenue: .nan, time: time(1))))
    visitor.add(.conversion(Conversion(goalID: 2, revenue: .infinity, time: time(1))))
    let copy = try VisitorRecord(decoding: visitor.record.encoded())
    #expect(copy.profile?.conversions.map(\.revenue) == [0, 0])
  }

  @Test(
    "what is no record, or a newer one, is refused with the reason",
    arguments: [
      (
        "",
        "stored visitor: not valid JSON: unexpected end of the text at line 1, column 1 (byte 0)"
      ),
      ("[]", "stored visitor: no \"schema\" number in it"),
      ("{\"schema\":2}", "stored visitor: its schema is 2, this version reads 1"),
      ("{\"schema\":1}", "stored visitor: no \"visitStart\" number in it"),
    ])
  func refused(_ text: String, _ message: String) {
    let error = #expect(throws: VisitorRecordError.self) {
      try VisitorRecord(decoding: Array(text.utf8))
    }
    #expect(error?.description == message)
  }

  @Test("items that cannot be read are left out, whatever they are")
  func damaged() throws {
    let json = try JSONValue(parsing: full.encoded())
    let strange: [JSONValue] = [
      nil, true, 1, 2.5, "x", [], [1], [[]], [:], [nil, nil, nil], .number(.big("1e400")),
    ]
    let members = try #require(json.objectValue)
    for position in members.indices where !["schema", "visitStart"].contains(members[position].key)
    {
      for value in strange {
        var damaged = members
        damaged[position] = JSONValue.Member(key: members[position].key, value: value)
        let copy = try VisitorRecord(decoding: Array(JSONValue.object(damaged).text().utf8))
        #expect(copy.visitStart == full.visitStart)
        for element in [value, [value, value]] {
          damaged[position] = JSONValue.Member(key: members[position].key, value: [element])
          _ = try VisitorRecord(decoding: Array(JSONValue.object(damaged).text().utf8))
        }
      }
    }
  }

  @Test("a record cut anywhere is refused or whole")
  func cut() {
    let bytes = full.encoded()
    for length in bytes.indices {
      #expect(throws: VisitorRecordError.self) {
        try VisitorRecord(decoding: Array(bytes[..<length]))
      }
    }
  }
}
