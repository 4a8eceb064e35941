// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import Testing

@testable import kameleoonClient

@Suite("Waiting for readiness", .timeLimit(.minutes(1)))
struct ReadinessTests {
  @Test("a wait is over once, whatever comes afterwards")
  func once() {
    var list = WaitList<String>()
    #expect(list.add("a", isPatient: true) == .waiting(0))
    #expect(list.add("b", isPatient: true) == .waiting(1))
    #expect(list.remove(0) == "a")
    #expect(list.remove(0) == nil)
    #expect(list.becomeReady() == ["b"])
    #expect(list.becomeReady() == [])
    #expect(list.reportNotReady() == [])
    #expect(list.add("c", isPatient: true) == .answered(true))
    #expect(list.close() == [])
  }

  @Test("no patience, a full list and a closed one are answered at once")
  func bounds() {
    var list = WaitList<Int>()
    #expect(list.add(0, isPatient: false) == .answered(false))
    for number in 0..<WaitList<Int>.limit {
      #expect(list.add(number, isPatient: true) == .waiting(number))
    }
    #expect(list.add(0, isPatient: true) == .answered(false))
    let closed = list.close()
    #expect(closed.count == WaitList<Int>.limit)
    #expect(list.add(0, isPatient: true) == .answered(false))
  }

  @Test("CL 4.14.1: 10,000 answers at the time limit ± 1 ms give one callback each")
  func atTheLimit() async {
    let limit = Duration.milliseconds(1_000)
    for round in 0..<10_000 {
      let clock = ManualClock()
      let readiness = Readiness(time: TimeSource(clock))
      let answers = Recorder<Bool>()
      readiness.wait(timeout: limit) { answers.add($0) }
      await clock.untilSleeping()
      // -1 ms: ready wins; +1 ms: the limit wins; 0: either, but only one.
      let offset = round % 3 - 1
      if offset == 0 {
        async let ready: Void = Self.hop { readiness.becomeReady() }
        async let late: Void = Self.hop { clock.advance(by: limit) }
        _ = await (ready, late)
        await eventually { readiness.waiterCount == 0 && answers.count > 0 }
      } else {
        clock.advance(by: limit + .milliseconds(offset))
        if offset > 0 { await eventually { answers.count == 1 } }
        readiness.becomeReady()
        if offset < 0 { clock.advance(by: .seconds(1)) }
        #expect(answers.values == [offset < 0])
      }
      await eventually { clock.sleeperCount == 0 }
      guard answers.count == 1 else {
        Issue.record("round \(round): \(answers.values)")
        return
      }
    }
  }

  @concurrent
  private static func hop(_ work: @Sendable () -> Void) async { work() }

  @Test("cancelling a task that waits ends its wait with CancellationError, and only that one")
  func cancellation() async throws {
    let clock = ManualClock()
    let readiness = Readiness(time: TimeSource(clock))
    let other = Recorder<Bool>()
    readiness.wait(timeout: .seconds(10)) { other.add($0) }
    let task = Task { try await readiness.wait(timeout: .seconds(10)) }
    await clock.untilSleeping(count: 2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(other.count == 0)
    readiness.becomeReady()
    #expect(other.values == [true])
    await eventually { clock.sleeperCount == 0 }
  }

  @Test("a task that is cancelled before it waits does not wait")
  func cancelledBefore() async {
    let readiness = Readiness(time: TimeSource(ManualClock()))
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await readiness.wait(timeout: .seconds(10))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(readiness.waiterCount == 0)
  }
}
