// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

/// The table of the specification of evaluation, section 5.1, row by row.
@Suite("Adding visitor data")
struct AddingTests {
  @Test("a visitor without data has no profile, and every datum makes one")
  func empty() {
    var visitor = Visitor()
    #expect(!visitor.record.hasProfile)
    #expect(visitor.record.profile == nil)
    #expect(visitor.record.visitStart == time(1000))
    #expect(visitor.pending.isEmpty)
    visitor.add(.device(.phone))
    #expect(visitor.record.hasProfile)
  }

  @Test("the device is replaced, except by the server")
  func device() {
    var visitor = Visitor()
    visitor.load(.device(.desktop))
    #expect(visitor.profile.device == .desktop)
    visitor.add(.device(.tablet))
    visitor.add(.device(.phone))
    visitor.load(.device(.desktop))
    #expect(visitor.profile.device == .phone)
  }

  @Test("the operating system is replaced, except by the server")
  func operatingSystem() {
    var visitor = Visitor()
    visitor.load(.operatingSystem(.mac))
    #expect(visitor.profile.operatingSystem == .mac)
    visitor.add(.operatingSystem(.android))
    visitor.add(.operatingSystem(.iOS))
    visitor.load(.operatingSystem(.mac))
    #expect(visitor.profile.operatingSystem == .iOS)
  }

  @Test("the browser is replaced, except by the server")
  func browser() {
    var visitor = Visitor()
    visitor.load(.browser(Browser(type: .opera)))
    #expect(visitor.profile.browser == Browser(type: .opera))
    visitor.add(.browser(Browser(type: .safari, version: 17)))
    visitor.add(.browser(Browser(type: .safari)))
    visitor.load(.browser(Browser(type: .opera)))
    #expect(visitor.profile.browser == Browser(type: .safari, version: nil))
  }

  @Test("the place is replaced as a whole, except by the server")
  func geolocation() {
    var visitor = Visitor()
    visitor.load(.geolocation(Geolocation(country: "Spain")))
    #expect(visitor.profile.geolocation?.country == "Spain")
    visitor.add(.geolocation(Geolocation(country: "France", region: "Bretagne", city: "Brest")))
    visitor.add(.geolocation(Geolocation(country: "Italy")))
    visitor.load(.geolocation(Geolocation(country: "Spain", city: "Bilbao")))
    #expect(visitor.profile.geolocation == Geolocation(country: "Italy"))
    #expect(visitor.profile.geolocation?.city == nil)
  }

  @Test("the application version is replaced, except by the server")
  func applicationVersion() {
    var visitor = Visitor()
    visitor.load(.applicationVersion("1"))
    #expect(visitor.profile.applicationVersion == "1")
    visitor.add(.applicationVersion("2.1-beta"))
    visitor.load(.applicationVersion("1"))
    #expect(visitor.profile.applicationVersion == "2.1-beta")
    #expect(visitor.profile.parsedApplicationVersion == AppVersion("2.1"))
    visitor.add(.applicationVersion("next"))
    #expect(visitor.profile.applicationVersion == "next")
    #expect(visitor.profile.parsedApplicationVersion == nil)
  }

  @Test("cookies are replaced as a whole")
  func cookies() {
    var visitor = Visitor()
    #expect(visitor.profile.cookies.isEmpty)
    visitor.add(.cookies([Cookie(name: "a", value: "1"), Cookie(name: "b", value: "2")]))
    visitor.add(.cookies([Cookie(name: "c", value: "3")]))
    #expect(visitor.profile.cookies == [Cookie(name: "c", value: "3")])
  }

  @Test("a page view counts per URL, with the last title and time")
  func pageViews() throws {
    var visitor = Visitor()
    visitor.add(.pageView(url: "https://a", title: "A"), at: 10)
    visitor.add(.pageView(url: "https://b", title: nil), at: 20)
    visitor.add(.pageView(url: "https://a", title: "A2"), at: 30)
    let views = visitor.profile.pageViews
    #expect(views.count == 2)
    let view = try #require(views.first { $0.url == MatchText("https://a") })
    #expect(view.count == 2)
    #expect(view.title == MatchText("A2"))
    #expect(view.lastTime == time(30))
    #expect(views.first { $0.url == MatchText("https://b") }?.count == 1)
  }

  @Test("the server's page views are added, the later time wins, the local title stays")
  func remotePageViews() throws {
    var visitor = Visitor()
    visitor.add(.pageView(url: "a", title: "here"), at: 50)
    visitor.load(.pageViews(PageView(url: "a", title: "there", count: 3, lastTime: time(40))))
    visitor.load(.pageViews(PageView(url: "b", title: "new", count: 2, lastTime: time(5))))
    let view = try #require(visitor.profile.pageViews.first)
    #expect(view.count == 4)
    #expect(view.lastTime == time(50))
    #expect(view.title == MatchText("here"))
    visitor.load(.pageViews(PageView(url: "a", title: nil, count: 1, lastTime: time(60))))
    #expect(visitor.profile.pageViews.first?.count == 5)
    #expect(visitor.profile.pageViews.first?.lastTime == time(60))
    #expect(visitor.profile.pageViews.last?.count == 2)
  }

  @Test("a page view with an empty URL is rejected, whoever delivers it")
  func emptyURL() {
    var visitor = Visitor()
    let record = PageView(url: "", title: "t", lastTime: time(1))
    for addition in [
      visitor.add(.pageView(url: "", title: "t")), visitor.load(.pageView(url: "", title: nil)),
      visitor.add(.pageViews(record)), visitor.load(.pageViews(record)),
    ] {
      guard case .dropped(let reason) = addition else {
        Issue.record("\(addition)")
        continue
      }
      #expect(!reason.isEmpty)
    }
    #expect(visitor.profile.pageViews.isEmpty)
  }

  @Test("conversions are appended, the server's too")
  func conversions() {
    var visitor = Visitor()
    visitor.add(.conversion(Conversion(goalID: 1, revenue: 5, time: time(1))))
    visitor.add(.conversion(Conversion(goalID: 1, revenue: 6, time: time(2))))
    visitor.load(.conversion(Conversion(goalID: 2, time: time(3))))
    #expect(visitor.profile.conversions.map(\.goalID) == [1, 1, 2])
    #expect(visitor.profile.conversions.map(\.revenue) == [5, 6, 0])
  }

  @Test("a personalization is replaced per id, except by the server")
  func personalizations() {
    var visitor = Visitor()
    visitor.load(.personalization(Personalization(id: 1, variationID: 10, time: time(1))))
    visitor.load(.personalization(Personalization(id: 1, variationID: 11, time: time(2))))
    #expect(visitor.profile.personalizations.map(\.variationID) == [10])
    visitor.add(.personalization(Personalization(id: 1, variationID: 12, time: time(3))))
    visitor.add(.personalization(Personalization(id: 2, variationID: 13, time: time(4))))
    visitor.load(.personalization(Personalization(id: 1, variationID: 14, time: time(5))))
    #expect(visitor.profile.personalizations.map(\.variationID) == [12, 13])
  }

  @Test("the visit history is replaced, except by the server, and holds 25 visits")
  func visits() {
    var visitor = Visitor()
    #expect(visitor.profile.previousVisits == nil)
    let visits = (0..<40).map { Visit(start: time(1000 - $0), lastActivity: time(1000 - $0)) }
    visitor.load(.visits(visits))
    #expect(visitor.profile.previousVisits == Array(visits.prefix(25)))
    visitor.add(.visits([]))
    #expect(visitor.profile.previousVisits == [])
    visitor.load(.visits(visits))
    #expect(visitor.profile.previousVisits == [])
    #expect(Visit.limit == 25)
  }

  @Test("key moment scores are replaced, also by the server")
  func keyMomentScores() {
    var visitor = Visitor()
    visitor.add(.keyMomentScores([1: [2: 50]]))
    visitor.load(.keyMomentScores([3: [4: 60]]))
    #expect(visitor.profile.keyMomentScores == [3: [4: 60]])
  }

  @Test("bandit scores are replaced, except by the server, and grouped best first")
  func banditScores() {
    var visitor = Visitor()
    visitor.load(.banditScores(BanditScores([1: [9: 0.5]])))
    visitor.add(.banditScores(BanditScores([1: [10: 0.1, 12: 0.7, 11: 0.7]])))
    visitor.load(.banditScores(BanditScores([1: [9: 0.5]])))
    #expect(visitor.profile.banditScores?.groups(of: 1) == [[11, 12], [10]])
    #expect(visitor.profile.banditScores?.groups(of: 2) == [])
  }

  @Test("an assignment is replaced per experiment, except by the server")
  func assignments() {
    func assignment(_ variation: Int64, at milliseconds: Int64) -> VisitorDatum {
      .assignment(
        Assignment(
          experimentID: 1, variationID: variation, origin: .experimentation,
          time: time(milliseconds), isSent: true))
    }
    var visitor = Visitor()
    visitor.load(assignment(10, at: 1))
    visitor.load(assignment(11, at: 2))
    #expect(visitor.record.assignments[1]?.variationID == 10)
    visitor.add(assignment(12, at: 3))
    visitor.load(assignment(13, at: 4))
    #expect(visitor.record.assignments[1]?.variationID == 12)
    #expect(visitor.record.assignments[1]?.time == time(3))
    #expect(!visitor.record.hasProfile)
  }

  @Test("a forced variation is replaced per experiment and can be taken back")
  func forcedVariations() {
    var record = VisitorRecord(visitStart: time(0))
    record.removeForcedVariation(experimentID: 1)
    #expect(!record.hasProfile)
    func forced(_ experiment: Int64, _ key: String) -> ForcedVariation {
      var entry = SplitEntry()
      entry.variationKey = key
      return ForcedVariation(experimentID: experiment, entry: entry, isTargetingForced: true)
    }
    record.force(forced(1, "a"))
    record.force(forced(2, "b"))
    record.force(forced(1, "c"))
    #expect(Set(record.profile?.forcedVariations ?? []) == [forced(2, "b"), forced(1, "c")])
    record.removeForcedVariation(experimentID: 2)
    record.removeForcedVariation(experimentID: 3)
    #expect(record.profile?.forcedVariations == [forced(1, "c")])
  }

  @Test("simulated variations are replaced as a whole")
  func simulation() {
    var record = VisitorRecord(visitStart: time(0))
    let first = SimulatedVariation(featureKey: "a", experimentID: 1, variationID: 2)
    let second = SimulatedVariation(featureKey: "b", experimentID: 0, variationID: nil)
    record.simulate([first])
    record.simulate([second])
    #expect(record.profile?.simulatedVariations == [second])
    record.simulate([])
    #expect(record.profile?.simulatedVariations == [])
  }

  @Test("a targeted segment is noted once per id and waits again when noted again")
  func targetedSegments() {
    var record = VisitorRecord(visitStart: time(0))
    record.add(targetedSegment: 1)
    record.add(targetedSegment: 2)
    record.markPendingEventsSent(isConsentRequired: false)
    #expect(record.pendingEvents(isConsentRequired: false) == [])
    record.add(targetedSegment: 1)
    #expect(record.profile?.targetedSegments.map(\.id).sorted() == [1, 2])
    #expect(record.pendingEvents(isConsentRequired: false) == [.targetedSegment(id: 1)])
  }
}
