// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

/// The specification of evaluation, section 5.1: everything stored has its own age.
@Suite("Expiry of visitor data")
struct ExpiryTests {
  private var visitor: Visitor {
    var visitor = Visitor()
    visitor.add(.device(.phone), at: 10)
    visitor.add(.operatingSystem(.iOS), at: 20)
    visitor.add(.geolocation(Geolocation(country: "FR")), at: 10)
    visitor.add(.browser(Browser(type: .safari)), at: 10)
    visitor.add(.applicationVersion("1.2"), at: 10)
    visitor.add(.cookies([Cookie(name: "a", value: "b")]), at: 10)
    visitor.load(.keyMomentScores([1: [2: 3]]), at: 10)
    visitor.load(.banditScores(BanditScores([1: [2: 3]])), at: 10)
    visitor.add(.customData(index: 1, values: ["old"]), at: 10)
    visitor.add(.customData(index: 3, values: ["new"]), at: 20)
    visitor.add(.pageView(url: "/a", title: nil), at: 10)
    visitor.add(.pageView(url: "/b", title: nil), at: 20)
    visitor.add(.conversion(Conversion(goalID: 1, time: time(10))))
    visitor.add(.conversion(Conversion(goalID: 2, time: time(20))))
    visitor.add(.personalization(Personalization(id: 1, variationID: 2, time: time(10))))
    visitor.record.save(
      experimentID: 1, variationID: 1, origin: .other, at: time(10), isTracked: true)
    visitor.record.save(
      experimentID: 2, variationID: 1, origin: .other, at: time(20), isTracked: true)
    visitor.record.setLegalConsent(true)
    return visitor
  }

  @Test("what was added before the limit goes, sent or not; the rest stays")
  func partial() {
    var visitor = visitor
    visitor.record.expireData(addedBefore: time(20))
    #expect(
      visitor.pending == [
        .operatingSystem(.iOS), .plain(3, ["new"]), .pageView(url: "/b"),
        .experiment(experimentID: 2, variationID: 1), .conversion(goalID: 2),
      ])
    #expect(visitor.profile.device == nil)
    #expect(visitor.profile.geolocation == nil)
    #expect(visitor.profile.place == VisitorProfile().place)
    #expect(visitor.profile.browser == nil)
    #expect(visitor.profile.applicationVersion == nil)
    #expect(visitor.profile.parsedApplicationVersion == nil)
    #expect(visitor.profile.cookies == [])
    #expect(visitor.profile.keyMomentScores == [:])
    #expect(visitor.profile.banditScores == nil)
    #expect(visitor.profile.personalizations == [])
    #expect(visitor.record.consent == .given)
  }

  @Test("nothing goes at the very time it was added, and an empty record stays empty")
  func boundary() {
    var visitor = visitor
    let before = visitor.record
    visitor.record.expireData(addedBefore: time(10))
    #expect(visitor.record == before)
    var empty = VisitorRecord(visitStart: time(0))
    empty.expireData(addedBefore: time(.max))
    #expect(!empty.hasProfile)
  }

  @Test("identity and visits are no data that age")
  func kept() {
    var visitor = Visitor()
    visitor.add(.customData(index: 2, values: ["user"]), at: 10)
    visitor.record.noteActivity(at: time(10))
    visitor.record.expireData(addedBefore: time(100))
    #expect(visitor.record.mappingIdentifier == "anna")
    #expect(visitor.profile.customData == [])
    #expect(visitor.record.lastActivity == time(10))
  }
}
