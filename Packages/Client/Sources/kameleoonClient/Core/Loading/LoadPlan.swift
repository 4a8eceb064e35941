// SPDX-License-Identifier: Apache-2.0

/// Decides when the data file is fetched and when its event stream is open (network specification,
/// sections 1.7 and 2).
///
/// A pure value: no clock, no I/O. Moments are durations since one origin. The owner performs the
/// returned actions in their order.
///
/// - One fetch at a time. What is asked for meanwhile follows; of several event times the latest
///   counts.
/// - Polling ticks on a fixed grid. A tick does nothing while the stream is connected.
/// - After a successful fetch the stream is open if the file in use asks for it; after a failed one
///   it is closed, and polling goes on.
/// - In the background there is neither stream nor tick; on return what was missed is made up for.
struct LoadPlan: Sendable {
  /// What the owner does.
  enum Action: Sendable, Equatable {
    /// Fetch the data file, with the `ts` of the event that caused it.
    case fetch(timestamp: Int64?)
    /// Open the event stream.
    case openStream
    /// Close the event stream.
    case closeStream
    /// Wake the plan at a moment, in place of an earlier one.
    case setTimer(Duration)
    /// There is no moment to wake the plan at.
    case cancelTimer
    /// Tell the waiting callers that the client is not ready: there is no data file.
    case reportNotReady
    /// A file that came because of a stream event is in use: call the update handlers.
    case reportUpdate
  }

  /// How a fetch ended.
  enum FetchResult: Sendable, Equatable {
    /// A new file is in use.
    case changed(isRealTime: Bool)
    /// The file in use is the newest.
    case unchanged
    /// All attempts failed.
    case failed
  }

  /// The state of the event stream.
  enum Stream: Sendable, Equatable {
    /// None. Next: `opening`.
    case closed
    /// It is being opened, or pauses between two connections. Next: `connected`, `closed`.
    case opening
    /// It delivers. Next: `opening`, `closed`.
    case connected
  }

  private struct Fetch: Sendable, Equatable {
    let timestamp: Int64?
  }

  private let interval: Duration
  private var running: Fetch?
  private var pending: Fetch?
  /// The state of the event stream.
  private(set) var stream = Stream.closed
  private var isForeground = true
  private var hasFile = false
  private var isRealTime = false
  private var hasLastFetchFailed = false
  /// Whether the stream should be open while the application is in the foreground.
  private var wantsStream: Bool { hasFile && isRealTime && !hasLastFetchFailed }
  private var nextPoll = Duration.zero

  /// Makes a plan.
  ///
  /// - Parameter interval: the refresh interval.
  init(interval: Duration) {
    self.interval = interval
  }

  /// Whether a fetch is under way.
  var isFetching: Bool { running != nil }

  /// Begins: fetches at once, opens the stream if the file at hand asks for it.
  ///
  /// - Parameters:
  ///   - now: the moment.
  ///   - isForeground: whether the application is active.
  ///   - hasFile: whether a stored or default file is in use.
  ///   - isRealTime: whether that file asks for streaming.
  mutating func begin(
    at now: Duration, isForeground: Bool, hasFile: Bool, isRealTime: Bool
  ) -> [Action] {
    self.isForeground = isForeground
    self.hasFile = hasFile
    self.isRealTime = isRealTime
    nextPoll = now + interval
    return request(Fetch(timestamp: nil)) + adjustStream() + timer()
  }

  /// The moment of ``Action/setTimer(_:)`` has come.
  mutating func timerFired(at now: Duration) -> [Action] {
    guard isForeground, now >= nextPoll else { return timer() }
    advancePoll(beyond: now)
    guard stream != .connected, running == nil else { return timer() }
    return request(Fetch(timestamp: nil)) + timer()
  }

  /// The stream told of a new configuration.
  mutating func streamEvent(timestamp: Int64) -> [Action] {
    guard stream != .closed else { return [] }
    return request(Fetch(timestamp: timestamp))
  }

  /// The server accepted the stream; after a loss events may have been missed.
  mutating func streamConnected(afterLoss: Bool) -> [Action] {
    guard stream != .closed else { return [] }
    stream = .connected
    return afterLoss ? request(Fetch(timestamp: nil)) : []
  }

  /// The connection is lost; the stream opens itself again.
  mutating func streamLost() {
    if stream == .connected { stream = .opening }
  }

  /// A fetch has ended; a new file is already in use.
  mutating func fetchEnded(_ result: FetchResult) -> [Action] {
    guard let ended = running else { return [] }
    running = nil
    var actions: [Action] = []
    switch result {
    case .changed(let isRealTime):
      hasFile = true
      self.isRealTime = isRealTime
      if ended.timestamp != nil { actions.append(.reportUpdate) }
    case .unchanged: break
    case .failed: if !hasFile { actions.append(.reportNotReady) }
    }
    hasLastFetchFailed = result == .failed
    actions += adjustStream()
    if let next = pending {
      pending = nil
      actions += request(next)
    }
    return actions
  }

  /// The application is active again.
  mutating func becameActive(at now: Duration) -> [Action] {
    guard !isForeground else { return [] }
    isForeground = true
    let isDue = now >= nextPoll
    if isDue { advancePoll(beyond: now) }
    let isMissing = isDue || wantsStream || hasLastFetchFailed
    let fetch = isMissing && running == nil ? request(Fetch(timestamp: nil)) : []
    return adjustStream() + fetch + timer()
  }

  /// The application is in the background.
  mutating func enteredBackground() -> [Action] {
    guard isForeground else { return [] }
    isForeground = false
    return adjustStream() + timer()
  }

  // MARK: - Parts

  private mutating func request(_ fetch: Fetch) -> [Action] {
    guard running != nil else {
      running = fetch
      return [.fetch(timestamp: fetch.timestamp)]
    }
    if fetch.timestamp != nil || pending == nil { pending = fetch }
    return []
  }

  private mutating func adjustStream() -> [Action] {
    let shouldBeOpen = wantsStream && isForeground
    if shouldBeOpen, stream == .closed {
      stream = .opening
      return [.openStream]
    }
    if !shouldBeOpen, stream != .closed {
      stream = .closed
      return [.closeStream]
    }
    return []
  }

  private func timer() -> [Action] {
    isForeground ? [.setTimer(nextPoll)] : [.cancelTimer]
  }

  /// The next tick of the grid; after a suspension the grid begins anew.
  private mutating func advancePoll(beyond now: Duration) {
    nextPoll += interval
    if nextPoll <= now { nextPoll = now + interval }
  }
}
