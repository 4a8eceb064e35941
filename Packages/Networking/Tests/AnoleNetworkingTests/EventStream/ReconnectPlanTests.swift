// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AnoleNetworking

@Suite("Reconnect plan")
struct ReconnectPlanTests {
  private func openPlan(at now: Duration = .zero) -> ReconnectPlan {
    var plan = ReconnectPlan(policy: .platform)
    let isBegun = plan.connect(at: now)
    #expect(isBegun)
    let answer = plan.answered(status: 200, contentType: "text/event-stream", at: now)
    #expect(answer == .accept(afterLoss: false))
    return plan
  }

  @Test("a second connection is refused in every state but idle and pausing")
  func oneConnection() {
    var plan = ReconnectPlan(policy: .platform)
    #expect(!plan.hasConnection)
    #expect(plan.connect(at: .zero) == true)
    #expect(plan.connect(at: .zero) == false)
    _ = plan.answered(status: 200, contentType: nil, at: .zero)
    #expect(plan.connect(at: .zero) == false)
    #expect(plan.lost(chance: 0) == .seconds(3))
    #expect(plan.lost(chance: 0) == nil)
    #expect(plan.isPausing && !plan.hasConnection)
    #expect(plan.connect(at: .zero) == true)
    #expect(plan.close() == true)
    #expect(plan.close() == false)
    #expect(plan.connect(at: .zero) == false)
    #expect(plan.lost(chance: 0) == nil)
    #expect(plan.deadline == nil)
  }

  @Test("only status 200 with the right or no content type is a stream")
  func answers() {
    let rows: [(Int, String?, ReconnectPlan.Answer)] = [
      (200, nil, .accept(afterLoss: false)),
      (200, "Text/Event-Stream; charset=utf-8", .accept(afterLoss: false)),
      (200, "text/html", .refuse(.notAnEventStream(contentType: "text/html"))),
      (204, nil, .refuse(.refused(status: 204))),
      (304, "text/event-stream", .refuse(.refused(status: 304))),
      (401, nil, .refuse(.refused(status: 401))),
      (500, nil, .refuse(.refused(status: 500))),
    ]
    for (status, type, expected) in rows {
      var plan = ReconnectPlan(policy: .platform)
      _ = plan.connect(at: .zero)
      #expect(plan.answered(status: status, contentType: type, at: .zero) == expected)
    }
  }

  @Test("a late answer is ignored")
  func lateAnswer() {
    var plan = ReconnectPlan(policy: .platform)
    _ = plan.connect(at: .zero)
    _ = plan.lost(chance: 0)
    #expect(plan.answered(status: 200, contentType: nil, at: .zero) == .ignore)
  }

  @Test("10 s for connecting, then 300 s after every byte")
  func deadlines() {
    var plan = ReconnectPlan(policy: .platform)
    _ = plan.connect(at: .seconds(5))
    #expect(plan.lossByTime(at: .seconds(15) - .nanoseconds(1)) == nil)
    #expect(plan.lossByTime(at: .seconds(15)) == .connectLimitPassed)
    _ = plan.answered(status: 200, contentType: nil, at: .seconds(9))
    #expect(plan.deadline == .seconds(309))
    plan.received(at: .seconds(200))
    #expect(plan.lossByTime(at: .seconds(499)) == nil)
    #expect(plan.lossByTime(at: .seconds(500)) == .silent)
  }

  @Test("the pause does not grow, and chance adds up to a fifth")
  func pauses() {
    var plan = openPlan()
    for round in 0..<100 {
      let chance = Double(round) / 100
      let pause = plan.lost(chance: chance)
      #expect(pause == .seconds(3) * (1 + 0.2 * chance))
      _ = plan.connect(at: .zero)
    }
  }

  @Test("the server can ask for a longer pause, within bounds, never for a shorter one")
  func serverPause() {
    let rows: [(Duration, Duration)] = [
      (.zero, .seconds(3)), (.seconds(5), .seconds(5)), (.seconds(1_000_000), .seconds(60)),
    ]
    for (asked, expected) in rows {
      var plan = openPlan()
      plan.serverAsked(pause: asked)
      #expect(plan.lost(chance: 0) == expected)
    }
  }

  @Test("whatever follows a failed attempt comes after a loss")
  func afterLoss() {
    var plan = ReconnectPlan(policy: .platform)
    _ = plan.connect(at: .zero)
    _ = plan.lost(chance: 0)
    _ = plan.connect(at: .zero)
    #expect(
      plan.answered(status: 200, contentType: nil, at: .zero) == .accept(afterLoss: true))
  }
}
