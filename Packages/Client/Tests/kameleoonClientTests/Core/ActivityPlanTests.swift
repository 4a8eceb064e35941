// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import kameleoonClient

@Suite("The plan of reporting activity", .timeLimit(.minutes(1)))
struct ActivityPlanTests {
  private static let minute = Duration.seconds(60)

  @Test("one report at the start, then one an interval")
  func interval() {
    var plan = ActivityPlan(interval: Self.minute, isForeground: true)
    #expect(plan.due == nil)
    #expect(plan.begin(at: .zero) == true)
    #expect(plan.begin(at: .zero) == false)
    #expect(plan.due == Self.minute)
    #expect(plan.advance(to: .seconds(59)) == false)
    #expect(plan.advance(to: .seconds(60)) == true)
    #expect(plan.due == Self.minute * 2)
  }

  @Test("without interval there is the report at the start alone")
  func off() {
    var plan = ActivityPlan(interval: nil, isForeground: true)
    #expect(plan.begin(at: .zero) == true)
    #expect(plan.due == nil)
    #expect(plan.advance(to: .seconds(100_000)) == false)
  }

  @Test("the interval counts from the last line")
  func traffic() {
    var plan = ActivityPlan(interval: Self.minute, isForeground: true)
    _ = plan.begin(at: .zero)
    plan.sent(at: .seconds(50))
    #expect(plan.advance(to: .seconds(109)) == false)
    #expect(plan.advance(to: .seconds(110)) == true)
  }

  @Test("lines before the start do not stand for the report at the start")
  func early() {
    var plan = ActivityPlan(interval: Self.minute, isForeground: true)
    plan.sent(at: .zero)
    #expect(plan.begin(at: .zero) == true)
  }

  @Test("the interval stands still in the background")
  func background() {
    var plan = ActivityPlan(interval: Self.minute, isForeground: true)
    _ = plan.begin(at: .zero)
    plan.enteredBackground(at: .seconds(20))
    #expect(plan.due == nil)
    #expect(plan.advance(to: .seconds(5_000)) == false)
    plan.becameActive(at: .seconds(5_000))
    #expect(plan.due == .seconds(5_040))
    // A flush in the background begins the interval anew.
    plan.enteredBackground(at: .seconds(5_010))
    plan.sent(at: .seconds(5_015))
    plan.becameActive(at: .seconds(6_000))
    #expect(plan.due == .seconds(6_060))
  }

  @Test("a client that is made in the background begins its interval in the foreground")
  func madeInBackground() {
    var plan = ActivityPlan(interval: Self.minute, isForeground: false)
    #expect(plan.begin(at: .zero) == true)
    #expect(plan.due == nil)
    plan.becameActive(at: .seconds(10))
    #expect(plan.due == .seconds(70))
  }
}
