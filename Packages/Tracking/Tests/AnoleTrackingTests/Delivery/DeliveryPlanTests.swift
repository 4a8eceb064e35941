// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import AnoleStorage
import Testing

@testable import AnoleTracking

@Suite("Delivery plan")
struct DeliveryPlanTests {
  private typealias Ending = DeliveryPlan.Ending

  /// Makes a request and judges it.
  private func end(
    _ plan: inout DeliveryPlan, _ ending: DeliveryPlan.Ending, events: Int = 50,
    delay: Duration? = nil, at now: Duration = .zero
  ) -> DeliveryPlan.Verdict {
    plan.started()
    return plan.ended(ending, events: events, delay: delay, at: now)
  }

  /// How many events the next request may carry at most; 0 for no limit.
  private func size(_ plan: DeliveryPlan) -> Int? {
    plan.allowance(at: .zero).map { $0.events ?? 0 }
  }

  @Test("2xx, 304 and 403 are delivered", arguments: [200, 202, 204, 299, 304, 403])
  func success(_ status: Int) {
    var plan = DeliveryPlan()
    #expect(end(&plan, .answered(status: status)) == .acknowledge)
    #expect(plan.allowance(at: .zero) == .init())
  }

  @Test(
    "after any other failure one visitor at a time is sent until a request succeeds",
    arguments: [
      DeliveryPlan.Ending.answered(status: 401), .answered(status: 404), .answered(status: 415),
      .answered(status: 429), .answered(status: 500), .answered(status: 503),
      .unanswered(.timedOut), .unanswered(.resolveFailed), .unanswered(.tlsFailed),
    ])
  func probing(_ ending: DeliveryPlan.Ending) {
    var plan = DeliveryPlan()
    #expect(end(&plan, ending) == .release)
    #expect(plan.isProbing)
    #expect(plan.allowance(at: .zero) == .init(isSingleVisitor: true))
    plan.started()
    #expect(plan.allowance(at: .zero) == nil)
    #expect(plan.ended(ending, events: 1, at: .zero) == .release)
    #expect(plan.isProbing)
    #expect(end(&plan, .answered(status: 204), events: 1) == .acknowledge)
    #expect(!plan.isProbing)
    #expect(plan.allowance(at: .zero) == .init())
  }

  @Test("a cancelled request gives its events back and changes nothing else")
  func cancelled() {
    var plan = DeliveryPlan()
    #expect(end(&plan, .cancelled) == .release)
    #expect(!plan.isProbing)
    #expect(plan.allowance(at: .zero) == .init())
  }

  @Test("four requests may be under way, one while probing")
  func inFlight() {
    var plan = DeliveryPlan()
    for _ in 0..<4 {
      #expect(plan.allowance(at: .zero) != nil)
      plan.started()
    }
    #expect(plan.allowance(at: .zero) == nil)
    plan.foundNothing()
    #expect(plan.allowance(at: .zero) != nil)
    #expect(plan.ended(.answered(status: 500), events: 1, at: .zero) == .release)
    #expect(plan.inFlight == 2)
    #expect(plan.allowance(at: .zero) == nil)
  }

  @Test("Retry-After delays ticks, not an instant flush, and never shortens a delay")
  func retryAfter() {
    var plan = DeliveryPlan()
    #expect(end(&plan, .answered(status: 429), delay: .seconds(30), at: .seconds(10)) == .release)
    #expect(end(&plan, .answered(status: 503), delay: .seconds(1), at: .seconds(11)) == .release)
    #expect(plan.allowance(at: .seconds(39)) == nil)
    #expect(plan.allowance(at: .seconds(39), isInstant: true) != nil)
    #expect(plan.allowance(at: .seconds(40)) != nil)
  }

  @Test("after 413 half of what was really sent is tried: 50, 25, 12, 6; the size is kept")
  func halving() {
    var plan = DeliveryPlan()
    var sizes = [50]
    while sizes[sizes.count - 1] > 8 {
      #expect(end(&plan, .answered(status: 413), events: sizes[sizes.count - 1]) == .release)
      sizes.append(size(plan) ?? -1)
    }
    #expect(sizes == [50, 25, 12, 6])
    for _ in 0..<5 { #expect(end(&plan, .answered(status: 204), events: 6) == .acknowledge) }
    #expect(size(plan) == 6)
    #expect(plan.isReduced)
  }

  @Test("the size never grows by a late answer to a larger or smaller batch")
  func lateAnswers() {
    var plan = DeliveryPlan()
    #expect(end(&plan, .answered(status: 413), events: 50) == .release)
    #expect(end(&plan, .answered(status: 413), events: 80) == .release)
    #expect(size(plan) == 12)
    #expect(end(&plan, .answered(status: 413), events: 10) == .release)
    #expect(size(plan) == 5)
  }

  @Test("one event too large is dropped, and what was accepted before fits again")
  func giant() {
    var plan = DeliveryPlan()
    #expect(end(&plan, .answered(status: 413), events: 12) == .release)
    #expect(end(&plan, .answered(status: 204), events: 6) == .acknowledge)
    for events in [6, 3] {
      #expect(end(&plan, .answered(status: 413), events: events) == .release)
    }
    #expect(size(plan) == 1)
    #expect(end(&plan, .answered(status: 413), events: 1) == .discard(.tooLarge))
    #expect(size(plan) == 6)
    // Where nothing was accepted in between, the number of events was never the cause.
    plan = DeliveryPlan()
    #expect(end(&plan, .answered(status: 413), events: 2) == .release)
    #expect(end(&plan, .answered(status: 413), events: 1) == .discard(.tooLarge))
    #expect(size(plan) == 0)
  }

  /// Sends the first of some events, of which some are rejected, until none waits.
  private func search(_ count: Int, poison: Set<Int>) -> (
    dropped: [Int], sent: [Int], requests: Int
  ) {
    var plan = DeliveryPlan()
    var waiting = Array(0..<count)
    var result: (dropped: [Int], sent: [Int], requests: Int) = ([], [], 0)
    while !waiting.isEmpty, result.requests < 1_000, let allowance = plan.allowance(at: .zero) {
      let batch = Array(waiting.prefix(allowance.events ?? .max))
      let status = poison.isDisjoint(with: batch) ? 204 : 400
      result.requests += 1
      switch end(&plan, .answered(status: status), events: batch.count) {
      case .acknowledge: result.sent += batch
      case .discard(let reason):
        #expect(reason == .rejected)
        result.dropped += batch
      case .release: continue
      }
      waiting.removeFirst(batch.count)
    }
    #expect(!plan.isReduced)
    return result
  }

  @Test("after 400 halves are sent until the event is found; all others arrive in order")
  func poison() {
    for count in [1, 2, 3, 7, 50, 1_000] {
      for poison in Set([0, count / 3, count / 2, count - 1]) {
        let result = search(count, poison: [poison])
        #expect(result.dropped == [poison])
        #expect(result.sent == (0..<count).filter { $0 != poison })
        #expect(result.requests <= 22)
      }
    }
    let several = search(100, poison: [3, 4, 50, 99])
    #expect(several.dropped == [3, 4, 50, 99])
    #expect(several.sent.count == 96)
  }

  @Test("a failure during the search puts it off, and the event is found later")
  func interruptedSearch() {
    var plan = DeliveryPlan()
    #expect(end(&plan, .answered(status: 400), events: 50) == .release)
    #expect(size(plan) == 25)
    #expect(end(&plan, .unanswered(.timedOut), events: 25) == .release)
    #expect(plan.isProbing)
    #expect(end(&plan, .answered(status: 400), events: 4) == .release)
    #expect(size(plan) == 2)
    #expect(end(&plan, .answered(status: 204), events: 2) == .acknowledge)
    #expect(size(plan) == 1)
    #expect(end(&plan, .answered(status: 400), events: 1) == .discard(.rejected))
    #expect(plan.allowance(at: .zero) == .init())
  }
}
