// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import kameleoonClient

@Suite("The plan of fetching and streaming", .timeLimit(.minutes(1)))
struct LoadPlanTests {
  private static let hour = Duration.seconds(3_600)

  private func started(
    hasFile: Bool = false, isRealTime: Bool = false, isForeground: Bool = true
  ) -> (LoadPlan, [LoadPlan.Action]) {
    var plan = LoadPlan(interval: Self.hour)
    let actions = plan.begin(
      at: .zero, isForeground: isForeground, hasFile: hasFile, isRealTime: isRealTime)
    return (plan, actions)
  }

  @Test("it fetches at once, and ticks after one interval")
  func start() {
    let (_, actions) = started()
    #expect(actions == [.fetch(timestamp: nil), .setTimer(Self.hour)])
  }

  @Test("a stored file that asks for streaming opens the stream at once")
  func storedRealTime() {
    let (_, actions) = started(hasFile: true, isRealTime: true)
    #expect(actions == [.fetch(timestamp: nil), .openStream, .setTimer(Self.hour)])
  }

  @Test("a failure without a file is told, one with a file is not")
  func failures() {
    var (plan, _) = started()
    #expect(plan.fetchEnded(.failed) == [.reportNotReady])
    (plan, _) = started(hasFile: true)
    #expect(plan.fetchEnded(.failed) == [])
  }

  @Test("ticks come on a grid, also while fetches fail, for ever")
  func grid() {
    var (plan, _) = started()
    _ = plan.fetchEnded(.failed)
    for hour in 1...1_000 {
      let now = Self.hour * hour
      #expect(plan.timerFired(at: now) == [.fetch(timestamp: nil), .setTimer(now + Self.hour)])
      _ = plan.fetchEnded(hour.isMultiple(of: 2) ? .failed : .unchanged)
    }
  }

  @Test("after a suspension it fetches at once, and the grid begins anew")
  func suspension() {
    var (plan, _) = started()
    _ = plan.fetchEnded(.changed(isRealTime: false))
    let late = Self.hour * 7 + .seconds(5)
    #expect(plan.timerFired(at: late) == [.fetch(timestamp: nil), .setTimer(late + Self.hour)])
  }

  @Test("a timer that rings early changes nothing")
  func earlyTimer() {
    var (plan, _) = started()
    _ = plan.fetchEnded(.unchanged)
    #expect(plan.timerFired(at: .seconds(5)) == [.setTimer(Self.hour)])
  }

  @Test("ticks are skipped only while the stream is connected")
  func skippedTicks() {
    var (plan, _) = started()
    #expect(plan.fetchEnded(.changed(isRealTime: true)) == [.openStream])
    #expect(
      plan.timerFired(at: Self.hour) == [.fetch(timestamp: nil), .setTimer(Self.hour * 2)])
    _ = plan.fetchEnded(.unchanged)
    #expect(plan.streamConnected(afterLoss: false) == [])
    #expect(plan.timerFired(at: Self.hour * 2) == [.setTimer(Self.hour * 3)])
    plan.streamLost()
    #expect(
      plan.timerFired(at: Self.hour * 3) == [.fetch(timestamp: nil), .setTimer(Self.hour * 4)])
  }

  @Test("an event fetches with its time, and a new file is told")
  func event() {
    var (plan, _) = started()
    _ = plan.fetchEnded(.changed(isRealTime: true))
    #expect(plan.streamEvent(timestamp: 17) == [.fetch(timestamp: 17)])
    #expect(plan.fetchEnded(.changed(isRealTime: true)) == [.reportUpdate])
    #expect(plan.streamEvent(timestamp: 18) == [.fetch(timestamp: 18)])
    #expect(plan.fetchEnded(.unchanged) == [])
  }

  @Test("one fetch at a time; of the events meanwhile the last counts")
  func oneAtATime() {
    var (plan, _) = started()
    _ = plan.fetchEnded(.changed(isRealTime: true))
    #expect(plan.streamEvent(timestamp: 1) == [.fetch(timestamp: 1)])
    #expect(plan.streamEvent(timestamp: 2) == [])
    #expect(plan.streamEvent(timestamp: 3) == [])
    #expect(plan.streamConnected(afterLoss: true) == [])
    #expect(
      plan.fetchEnded(.changed(isRealTime: true)) == [.reportUpdate, .fetch(timestamp: 3)])
    #expect(plan.fetchEnded(.unchanged) == [])
    #expect(!plan.isFetching)
  }

  @Test("a failed fetch closes the stream; the next successful poll opens it again")
  func fallBack() {
    var (plan, _) = started()
    _ = plan.fetchEnded(.changed(isRealTime: true))
    _ = plan.streamConnected(afterLoss: false)
    _ = plan.streamEvent(timestamp: 4)
    #expect(plan.fetchEnded(.failed) == [.closeStream])
    #expect(plan.timerFired(at: Self.hour).first == .fetch(timestamp: nil))
    #expect(plan.fetchEnded(.unchanged) == [.openStream])
  }

  @Test("a file that does not ask for streaming closes the stream")
  func streamingOff() {
    var (plan, _) = started()
    _ = plan.fetchEnded(.changed(isRealTime: true))
    _ = plan.streamEvent(timestamp: 4)
    #expect(plan.fetchEnded(.changed(isRealTime: false)) == [.reportUpdate, .closeStream])
    #expect(plan.streamEvent(timestamp: 5) == [])
  }

  @Test("a reconnection after a loss fetches once without a time")
  func reconnection() {
    var (plan, _) = started()
    _ = plan.fetchEnded(.changed(isRealTime: true))
    _ = plan.streamConnected(afterLoss: false)
    plan.streamLost()
    #expect(plan.streamConnected(afterLoss: true) == [.fetch(timestamp: nil)])
  }

  @Test("in the background there is no stream and no tick; on return both come back, with a fetch")
  func background() {
    var (plan, _) = started()
    _ = plan.fetchEnded(.changed(isRealTime: true))
    _ = plan.streamConnected(afterLoss: false)
    #expect(plan.enteredBackground() == [.closeStream, .cancelTimer])
    #expect(plan.enteredBackground() == [])
    #expect(plan.timerFired(at: Self.hour) == [.cancelTimer])
    let now = Self.hour / 2
    #expect(
      plan.becameActive(at: now) == [.openStream, .fetch(timestamp: nil), .setTimer(Self.hour)])
    #expect(plan.becameActive(at: now) == [])
  }

  @Test("on return without streaming it fetches only if a tick was missed or the last fetch failed")
  func returning() {
    var (plan, _) = started()
    _ = plan.fetchEnded(.changed(isRealTime: false))
    _ = plan.enteredBackground()
    #expect(plan.becameActive(at: .seconds(60)) == [.setTimer(Self.hour)])
    _ = plan.enteredBackground()
    let late = Self.hour + .seconds(60)
    #expect(
      plan.becameActive(at: late) == [.fetch(timestamp: nil), .setTimer(Self.hour * 2)])
    _ = plan.fetchEnded(.failed)
    _ = plan.enteredBackground()
    #expect(
      plan.becameActive(at: late + .seconds(1)) == [
        .fetch(timestamp: nil), .setTimer(Self.hour * 2),
      ])
  }
}
