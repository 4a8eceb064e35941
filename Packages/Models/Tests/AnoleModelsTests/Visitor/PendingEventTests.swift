// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

/// The specification of evaluation, sections 3.10 and 5.5.
@Suite("Pending events")
struct PendingEventTests {
  private func saved(_ origin: Assignment.Origin, isTracked: Bool = true) -> VisitorRecord {
    var record = VisitorRecord(visitStart: time(0))
    record.save(
      experimentID: 1, variationID: 10, origin: origin, at: time(5), isTracked: isTracked)
    return record
  }

  private var everything: Visitor {
    var visitor = Visitor()
    visitor.add(.customData(index: 1, values: ["a"]))
    visitor.add(.conversion(Conversion(goalID: 7, revenue: 2.5, isNegative: true, time: time(1))))
    visitor.record.add(targetedSegment: 3)
    for (id, origin) in [
      (1, Assignment.Origin.experimentation), (2, .targetedDelivery), (3, .other),
    ] {
      visitor.record.save(
        experimentID: Int64(id), variationID: Int64(id * 10), origin: origin, at: time(5),
        isTracked: true)
    }
    return visitor
  }

  private let unrestricted: Set<TrackingEvent> = [
    .plain(1, ["a"]), .conversion(goalID: 7, revenue: 2.5, isNegative: true),
    .targetedSegment(id: 3), .experiment(experimentID: 1, variationID: 10),
    .experiment(experimentID: 2, variationID: 20), .experiment(experimentID: 3, variationID: 30),
  ]
  private let withoutConsent: Set<TrackingEvent> = [
    .conversion(goalID: 7, revenue: 2.5, isNegative: true),
    .experiment(experimentID: 2, variationID: 20),
  ]

  @Test("everything that was not sent is pending, once")
  func allOnce() {
    var visitor = everything
    #expect(Set(visitor.pending) == unrestricted)
    #expect(visitor.pending.count == 6)
    visitor.record.markPendingEventsSent(isConsentRequired: false)
    #expect(visitor.pending == [])
  }

  @Test("the order is that of the lines: static data, custom data, pages, exposures, the rest")
  func order() {
    var visitor = everything
    visitor.add(.pageView(url: "https://a", title: "A", referrers: [2, 5]))
    visitor.add(.visits([]))
    visitor.add(.geolocation(Geolocation(country: "FR", postalCode: "75001", latitude: 48.5)))
    visitor.add(.operatingSystem(.linux))
    visitor.add(.browser(Browser(type: .chrome, version: 120)))
    visitor.add(.device(.desktop))
    #expect(
      visitor.pending == [
        .device(.desktop), .browser(Browser(type: .chrome, version: 120)), .operatingSystem(.linux),
        .geolocation(Geolocation(country: "FR", postalCode: "75001", latitude: 48.5)),
        .visits(previousCount: 0, timeSincePrevious: .zero), .plain(1, ["a"]),
        .pageView(url: "https://a", title: "A", referrers: [2, 5]),
        .experiment(experimentID: 1, variationID: 10),
        .experiment(experimentID: 2, variationID: 20),
        .experiment(experimentID: 3, variationID: 30), .targetedSegment(id: 3),
        .conversion(goalID: 7, revenue: 2.5, isNegative: true),
      ])
    visitor.record.markPendingEventsSent(isConsentRequired: false)
    #expect(visitor.pending == [])
  }

  @Test("one-per-visitor data added again is sent again, untracked or from the server it is not")
  func staticData() {
    var visitor = Visitor()
    visitor.load(.device(.phone))
    visitor.load(.geolocation(Geolocation(country: "DE")))
    visitor.add(.browser(Browser(type: .safari)), track: false)
    #expect(visitor.pending == [])
    visitor.add(.device(.tablet))
    visitor.load(.device(.phone))
    #expect(visitor.pending == [.device(.tablet)])
    visitor.record.markPendingEventsSent(isConsentRequired: false)
    visitor.add(.device(.tablet))
    visitor.add(.geolocation(Geolocation(country: "FR")))
    #expect(visitor.pending == [.device(.tablet), .geolocation(Geolocation(country: "FR"))])
  }

  @Test("a page seen again is a new event with its own title and referrers")
  func pages() {
    var visitor = Visitor()
    visitor.add(.pageView(url: "/a", title: "A", referrers: [1]))
    visitor.record.markPendingEventsSent(isConsentRequired: false)
    visitor.add(.pageView(url: "/a", title: nil))
    visitor.load(.pageViews(PageView(url: "/b", title: "B", lastTime: time(1))))
    #expect(visitor.pending == [.pageView(url: "/a", title: nil, referrers: [])])
    #expect(visitor.restricted == [])
  }

  @Test("metadata goes with its conversion and is forgotten once sent")
  func metadata() {
    var visitor = Visitor()
    let metadata = [ConversionMetadata(index: 3, values: ["a", "a"])]
    visitor.add(.conversion(Conversion(goalID: 7, time: time(1), metadata: metadata)))
    #expect(visitor.restricted == [.conversion(goalID: 7, metadata: metadata)])
    visitor.record.markPendingEventsSent(isConsentRequired: true)
    #expect(visitor.profile.conversions.map(\.metadata) == [[]])
  }

  @Test("what the data file has declared local since stays here")
  func localOnlyLater() {
    var visitor = Visitor()
    visitor.add(.customData(index: 9, values: ["x"]))
    var definition = CustomDataDefinition(index: 9)
    definition.isLocalOnly = true
    let catalogue = CustomDataCatalogue([definition])
    #expect(visitor.record.takeEvents(isConsentRequired: false, catalogue: catalogue) == [])
    #expect(visitor.pending == [.plain(9, ["x"])])
  }

  @Test("taking gives each event once")
  func taking() {
    var visitor = everything
    let expected = visitor.pending
    let catalogue = CustomDataCatalogue()
    #expect(visitor.record.takeEvents(isConsentRequired: false, catalogue: catalogue) == expected)
    #expect(visitor.record.takeEvents(isConsentRequired: false, catalogue: catalogue) == [])
  }

  @Test("without consent only deliveries and conversions leave, unknown or refused alike")
  func restricted() {
    var visitor = everything
    #expect(visitor.record.consent == .unknown)
    #expect(Set(visitor.restricted) == withoutConsent)
    visitor.record.setLegalConsent(false)
    #expect(visitor.record.consent == .refused)
    #expect(Set(visitor.restricted) == withoutConsent)
    #expect(Set(visitor.pending) == unrestricted)
  }

  @Test("with consent, or where none is needed, everything leaves")
  func unrestrictedSending() {
    var visitor = everything
    visitor.record.setLegalConsent(true)
    #expect(visitor.record.consent == .given)
    #expect(Set(visitor.restricted) == unrestricted)
    #expect(Set(visitor.pending) == unrestricted)
  }

  @Test("what was held back goes out when consent is given later")
  func heldBack() {
    var visitor = everything
    visitor.record.markPendingEventsSent(isConsentRequired: true)
    #expect(visitor.restricted == [])
    visitor.record.setLegalConsent(true)
    #expect(Set(visitor.restricted) == unrestricted.subtracting(withoutConsent))
    visitor.record.markPendingEventsSent(isConsentRequired: true)
    #expect(visitor.restricted == [])
  }

  @Test("consent is unknown until it is set, and other data don't change it")
  func consentStates() {
    var visitor = Visitor()
    #expect(visitor.record.consent == .unknown)
    visitor.add(.device(.phone))
    #expect(visitor.record.consent == .unknown)
    visitor.record.setLegalConsent(true)
    visitor.add(.device(.tablet))
    visitor.load(.customData(index: 1, values: ["x"]))
    #expect(visitor.record.consent == .given)
    visitor.record.setLegalConsent(false)
    #expect(visitor.record.consent == .refused)
  }

  @Test("items added without tracking serve targeting and are never sent")
  func untracked() {
    var visitor = Visitor()
    visitor.add(.customData(index: 1, values: ["a"]), track: false)
    visitor.add(.conversion(Conversion(goalID: 7, time: time(1))), track: false)
    let assignment = Assignment(
      experimentID: 1, variationID: 2, origin: .experimentation, time: time(1), isSent: false)
    visitor.add(.assignment(assignment), track: false)
    #expect(visitor.pending == [])
    #expect(visitor.values(1) == ["a"])
    #expect(visitor.profile.conversions.count == 1)
    #expect(visitor.record.assignments[1]?.variationID == 2)
  }

  @Test("a local-only index is never sent")
  func localOnly() {
    var visitor = Visitor()
    visitor.add(.customData(index: 4, values: ["true"]))
    visitor.load(.customData(index: 5, values: ["x"]))
    #expect(visitor.values(4) == ["true"])
    #expect(visitor.pending == [])
  }

  @Test("what came from the server is not sent again, except custom data of visitor scope")
  func remote() {
    var visitor = Visitor()
    visitor.load(.customData(index: 1, values: ["visit"]))
    visitor.load(.customData(index: 3, values: ["visitor"]))
    visitor.load(.customData(index: 99, values: ["undeclared"]))
    visitor.load(.conversion(Conversion(goalID: 7, time: time(1))))
    let assignment = Assignment(
      experimentID: 1, variationID: 2, origin: .experimentation, time: time(1), isSent: false)
    visitor.load(.assignment(assignment))
    #expect(visitor.pending == [.plain(3, ["visitor"])])
    visitor.record.markPendingEventsSent(isConsentRequired: false)
    #expect(visitor.pending == [])
  }

  @Test("an assignment added by the application waits to be sent")
  func addedAssignment() {
    var visitor = Visitor()
    let assignment = Assignment(
      experimentID: 1, variationID: 2, origin: .experimentation, time: time(1), isSent: false)
    visitor.add(.assignment(assignment))
    #expect(visitor.pending == [.experiment(experimentID: 1, variationID: 2)])
  }

  @Test("each tracked evaluation sends its exposure again")
  func again() {
    var record = saved(.experimentation)
    record.markPendingEventsSent(isConsentRequired: false)
    record.save(
      experimentID: 1, variationID: 10, origin: .experimentation, at: time(9), isTracked: true)
    #expect(
      record.pendingEvents(isConsentRequired: false) == [
        .experiment(experimentID: 1, variationID: 10)
      ])
    #expect(record.assignments[1]?.time == time(9))
  }

  @Test("a silent evaluation of the same variation keeps a pending exposure")
  func keepsPending() {
    var record = saved(.experimentation)
    record.save(
      experimentID: 1, variationID: 10, origin: .experimentation, at: time(9), isTracked: false)
    #expect(record.assignments[1]?.isSent == false)
    #expect(record.assignments[1]?.time == time(9))
    record.markPendingEventsSent(isConsentRequired: false)
    record.save(
      experimentID: 1, variationID: 10, origin: .experimentation, at: time(10), isTracked: false)
    #expect(record.pendingEvents(isConsentRequired: false) == [])
  }

  @Test("a silent evaluation of another variation or experiment is not sent")
  func silent() {
    var record = saved(.experimentation, isTracked: false)
    #expect(record.pendingEvents(isConsentRequired: false) == [])
    #expect(record.assignments[1]?.variationID == 10)
    record = saved(.experimentation)
    record.save(
      experimentID: 1, variationID: 11, origin: .experimentation, at: time(9), isTracked: false)
    #expect(record.pendingEvents(isConsentRequired: false) == [])
    #expect(record.assignments[1]?.variationID == 11)
  }

  @Test("conversions stay bounded: of the sent ones only the latest of each goal is kept")
  func boundedConversions() {
    var visitor = Visitor()
    for round in 0..<500 {
      visitor.add(
        .conversion(Conversion(goalID: Int64(round % 3), time: time(Int64(round)))))
      if round % 10 == 9 {
        #expect(visitor.pending.count == 10)
        visitor.record.markPendingEventsSent(isConsentRequired: true)
        #expect(visitor.pending.isEmpty)
      }
      #expect(visitor.profile.conversions.count <= 13)
    }
    let latest = visitor.profile.conversions.sorted { $0.goalID < $1.goalID }
    #expect(latest.map(\.goalID) == [0, 1, 2])
    #expect(latest.map(\.time) == [time(498), time(499), time(497)])
  }

  @Test("no conversion is forgotten before it was sent, and history stays bounded as well")
  func unsentConversions() {
    var visitor = Visitor()
    for round in 0..<200 {
      visitor.load(.conversion(Conversion(goalID: 1, time: time(Int64(200 - round)))))
    }
    #expect(visitor.profile.conversions.map(\.time) == [time(200)])
    for round in 0..<50 {
      visitor.add(.conversion(Conversion(goalID: 1, time: time(Int64(round)))))
    }
    #expect(visitor.pending.count == 50)
    #expect(visitor.profile.conversions.contains { $0.time == time(200) })
  }

  @Test("marking an empty record changes nothing")
  func emptyRecord() {
    var record = VisitorRecord(visitStart: time(0))
    record.markPendingEventsSent(isConsentRequired: false)
    #expect(record == VisitorRecord(visitStart: time(0)))
  }
}
