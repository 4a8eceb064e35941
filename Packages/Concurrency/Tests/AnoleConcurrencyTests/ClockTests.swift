// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import Testing

@Suite("Clocks")
struct ClockTests {
  @Test("a manual wall clock moves as told, through the clock that was handed out")
  func manualWallClock() {
    let manual = ManualWallClock(milliseconds: 1_000)
    let clock = manual.clock
    manual.advance(by: .milliseconds(2_345))
    #expect(clock.milliseconds == 3_345)
    #expect(clock.seconds == 3)
    manual.advance(by: .seconds(-4))
    #expect(clock.milliseconds == -655)
    #expect(clock.seconds == -1)
    manual.milliseconds = -1_000
    #expect(clock.seconds == -1)
    manual.milliseconds = -1_001
    #expect(clock.seconds == -2)
  }

  @Test("the coarse clock is the system's, behind by no more than a tick")
  func coarseWallClock() {
    let before = WallClock.system.milliseconds
    let coarse = WallClock.coarse.milliseconds
    let after = WallClock.system.milliseconds
    // A tick has 10 ms at most; whole milliseconds are cut off on both sides.
    #expect((before - 11...after).contains(coarse))
  }

  @Test("the system's wall clock counts milliseconds of this century")
  func systemWallClock() {
    let now = WallClock.system.milliseconds
    #expect(now > 1_600_000_000_000)
    #expect(now < 4_102_444_800_000)
  }

  @Test("a time source starts at zero and follows its clock")
  func timeSource() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(100))
    let time = TimeSource(clock)
    #expect(time.now == .zero)
    clock.advance(by: .milliseconds(1_500))
    #expect(time.now == .milliseconds(1_500))
    try await time.sleep(for: .zero)
    try await time.sleep(until: .seconds(1))
  }

  @Test("the continuous source never goes back, and its sleep ends when the task is cancelled")
  func continuous() async throws {
    let time = TimeSource.continuous
    let before = time.now
    try await time.sleep(until: .zero)
    #expect(time.now >= before)
    let task = Task { try await time.sleep(for: .seconds(86_400)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

@Suite("Manual clock")
struct ManualClockTests {
  @Test("a sleeper wakes at its moment and not a nanosecond before")
  func moment() async throws {
    let clock = ManualClock()
    let hasWoken = Flag()
    let task = Task {
      try await TimeSource(clock).sleep(for: .seconds(60))
      hasWoken.raise()
    }
    await clock.untilSleeping()
    clock.advance(by: .seconds(60) - .nanoseconds(1))
    #expect(clock.sleeperCount == 1)
    #expect(!hasWoken.isRaised)
    #expect(clock.nextDeadline == ManualClock.Instant(offset: .seconds(60)))
    clock.advance(by: .nanoseconds(1))
    try await task.value
    #expect(hasWoken.isRaised)
    #expect(clock.nextDeadline == nil)
  }

  @Test("one step wakes all who are due and leaves the others")
  func several() async throws {
    let clock = ManualClock()
    let tasks = (1...5).map { second in
      Task { try await clock.sleep(until: ManualClock.Instant(offset: .seconds(second))) }
    }
    await clock.untilSleeping(count: 5)
    clock.advance(by: .seconds(3))
    #expect(clock.sleeperCount == 2)
    for task in tasks.prefix(3) { try await task.value }
    clock.advance(by: .seconds(2))
    for task in tasks { try await task.value }
  }

  @Test("cancelling wakes the sleeper, before and during the sleep")
  func cancellation() async {
    let clock = ManualClock()
    let sleeping = Task { try await TimeSource(clock).sleep(for: .seconds(1)) }
    await clock.untilSleeping()
    sleeping.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    #expect(clock.sleeperCount == 0)

    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await TimeSource(clock).sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test("a thousand sleepers cancelled while the clock moves each end once")
  func race() async {
    let clock = ManualClock()
    let tasks = (0..<1_000).map { index in
      Task { try await TimeSource(clock).sleep(for: .milliseconds(1 + index % 10)) }
    }
    await withTaskGroup { group in
      group.addTask { for _ in 0..<20 { clock.advance(by: .milliseconds(1)) } }
      group.addTask { for task in tasks { task.cancel() } }
    }
    for task in tasks { _ = await task.result }
    #expect(clock.sleeperCount == 0)
  }

  @Test("waiting for sleepers ends when the waiting task is cancelled")
  func watcherCancellation() async {
    let clock = ManualClock()
    let task = Task { await clock.untilSleeping(count: 7) }
    task.cancel()
    await task.value
  }
}

/// A flag that is raised once, by any thread.
final class Flag: Sendable {
  private let state = Lock(false)
  var isRaised: Bool { state.withLock { $0 } }
  func raise() { state.withLock { $0 = true } }
}
