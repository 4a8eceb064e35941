// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEvaluation
import AnoleModels
import AnoleNetworking

/// Keeps the data file up to date: does what a ``LoadPlan`` decides.
///
/// One task owns the plan and handles one event after another; fetch, stream and timer are tasks of
/// its own that report to it. ``close()`` ends them all and returns when they have ended.
final class ConfigurationLoader: Sendable {
  /// What the loader needs from its owner.
  struct Surroundings: Sendable {
    /// Sends the requests.
    let transport: any HTTPTransport
    /// Builds them, with the hosts in force.
    let requests: @Sendable () -> PlatformRequests
    /// Measures intervals and pauses.
    let clock: any Clock<Duration>
    /// The time of day, for the status.
    let wallClock: WallClock
    /// Gives the jitter of the stream's pauses.
    let random: RandomSource
    /// Compiles a file; called outside of the loader's task.
    let compile: @Sendable (_ bytes: [UInt8], _ isStreamed: Bool) throws -> CompiledFile
    /// Puts a file in use; when it returns, reads see it.
    let publish: @Sendable (CompiledFile, CacheValidators) -> Void
    /// There is no file, and the fetch has failed: whoever waits is told.
    let reportNotReady: @Sendable () -> Void
    /// A file that came by a stream event is in use.
    let reportUpdate: @Sendable () -> Void
    /// Takes notes for the log.
    let report: @Sendable (LoadReport) -> Void
  }

  /// A file from the server, ready for use.
  struct CompiledFile: Sendable {
    /// The compiled file.
    let project: ProjectSnapshot
    /// The file as it came.
    let bytes: [UInt8]
  }

  /// The file that a loader starts with.
  struct Start: Sendable {
    /// Whether it asks for streaming.
    let isRealTime: Bool
    /// The server's texts about it; nil for a default file.
    let validators: CacheValidators?
  }

  private typealias FetchOutcome = Result<
    ConditionalFetch.Outcome<CompiledFile>, ConditionalFetchError
  >

  private enum Event: Sendable {
    case timer
    case stream(Int, EventSource.Update)
    case fetched(FetchOutcome)
    case becameActive
    case enteredBackground
  }

  private enum Phase: Sendable {
    /// Next: `running`, `closed`.
    case made
    /// Next: `closed`.
    case running(Task<Void, Never>)
    case closed
  }

  /// The name of the only stream event that matters.
  private static let updateEvent = "configuration-update-event"

  private let surroundings: Surroundings
  private let interval: Duration
  private let time: TimeSource
  private let fetcher: ConditionalFetch
  private let inbox: AsyncStream<Event>
  private let post: AsyncStream<Event>.Continuation
  private let phase = Lock(Phase.made)
  private let shared = Lock(LoadStatus())

  init(interval: Duration, time: TimeSource, surroundings: Surroundings) {
    self.interval = interval
    self.time = time
    self.surroundings = surroundings
    fetcher = ConditionalFetch(transport: surroundings.transport, clock: surroundings.clock)
    (inbox, post) = AsyncStream.makeStream(of: Event.self)
  }

  /// How loading goes.
  var status: LoadStatus { shared.withLock { $0 } }

  /// Begins; a second call does nothing.
  ///
  /// - Parameters:
  ///   - file: the file that is in use already; nil for none.
  ///   - isForeground: whether the application is active.
  func start(with file: Start?, isForeground: Bool) {
    phase.withLock { [self] phase in
      guard case .made = phase else { return }
      phase = .running(Task { await run(file, isForeground: isForeground) })
    }
  }

  /// The application is active again.
  func becameActive() { post.yield(.becameActive) }

  /// The application is in the background.
  func enteredBackground() { post.yield(.enteredBackground) }

  /// Cancels what is under way and returns when it has ended.
  func close() async {
    let task = phase.withLock { phase -> Task<Void, Never>? in
      defer { phase = .closed }
      guard case .running(let task) = phase else { return nil }
      return task
    }
    post.finish()
    task?.cancel()
    await task?.value
  }

  // MARK: - The loop

  /// What the loop alone knows.
  private struct Work {
    var plan: LoadPlan
    var validators: CacheValidators?
    var fetch: Task<Void, Never>?
    var timer: Task<Void, Never>?
    var timerMoment: Duration?
    var source: EventSource?
    var pump: Task<Void, Never>?
    /// Tells the updates of the present stream from those of a closed one.
    var streamNumber = 0
    var isStreamLossReported = false
  }

  private func run(_ file: Start?, isForeground: Bool) async {
    var work = Work(plan: LoadPlan(interval: interval), validators: file?.validators)
    let first = work.plan.begin(
      at: time.now, isForeground: isForeground, hasFile: file != nil,
      isRealTime: file?.isRealTime ?? false)
    await perform(first, &work)
    for await event in inbox {
      let actions = handle(event, &work)
      await perform(actions, &work)
    }
    work.fetch?.cancel()
    work.timer?.cancel()
    await closeStream(&work)
    await work.fetch?.value
    await work.timer?.value
  }

  private func handle(_ event: Event, _ work: inout Work) -> [LoadPlan.Action] {
    switch event {
    case .timer: return work.plan.timerFired(at: time.now)
    case .stream(let number, let update):
      return number == work.streamNumber ? handle(update, &work) : []
    case .fetched(let result): return handle(result, &work)
    case .becameActive: return work.plan.becameActive(at: time.now)
    case .enteredBackground: return work.plan.enteredBackground()
    }
  }

  private func handle(_ update: EventSource.Update, _ work: inout Work) -> [LoadPlan.Action] {
    switch update {
    case .connecting, .closed: return []
    case .connected(let afterLoss):
      work.isStreamLossReported = false
      return work.plan.streamConnected(afterLoss: afterLoss)
    case .lost(let loss, _):
      // Once until it stands again: a device that is offline tries every three seconds.
      if !work.isStreamLossReported { surroundings.report(.streamLost(loss)) }
      work.isStreamLossReported = true
      work.plan.streamLost()
      return []
    case .event(let event):
      guard event.type == Self.updateEvent else { return [] }
      guard let timestamp = Self.timestamp(of: event.data) else {
        surroundings.report(.unreadableEvent)
        return []
      }
      return work.plan.streamEvent(timestamp: timestamp)
    }
  }

  private func handle(_ result: FetchOutcome, _ work: inout Work) -> [LoadPlan.Action] {
    let now = Timestamp(milliseconds: surroundings.wallClock.milliseconds)
    work.fetch = nil
    switch result {
    case .success(.changed(let file, let validators)):
      work.validators = validators
      surroundings.publish(file, validators)
      shared.withLock { $0.succeeded(at: now, isUpdate: true) }
      let isRealTime = file.project.evaluation.dataFile.configuration.isRealTimeUpdate
      return work.plan.fetchEnded(.changed(isRealTime: isRealTime))
    case .success(.unchanged):
      shared.withLock { $0.succeeded(at: now, isUpdate: false) }
      return work.plan.fetchEnded(.unchanged)
    case .failure(let error):
      shared.withLock { $0.failed(error.description, at: now) }
      surroundings.report(.fetchFailed(error))
      return work.plan.fetchEnded(.failed)
    }
  }

  private func perform(_ actions: [LoadPlan.Action], _ work: inout Work) async {
    for action in actions {
      switch action {
      case .fetch(let timestamp): fetch(timestamp, &work)
      case .openStream: openStream(&work)
      case .closeStream: await closeStream(&work)
      case .setTimer(let moment): setTimer(moment, &work)
      case .cancelTimer: setTimer(nil, &work)
      case .reportNotReady: surroundings.reportNotReady()
      case .reportUpdate: surroundings.reportUpdate()
      }
    }
    let stream = work.plan.stream
    shared.withLock { $0.stream = stream }
  }

  // MARK: - Fetch, timer, stream

  private func fetch(_ timestamp: Int64?, _ work: inout Work) {
    let request = surroundings.requests().configuration(timestamp: timestamp)
    let validators = work.validators
    let isStreamed = timestamp != nil
    work.fetch = Task { [fetcher, surroundings, post] in
      do throws(ConditionalFetchError) {
        let outcome = try await fetcher.fetch(request, validators: validators) {
          try surroundings.compile($0, isStreamed)
        }
        post.yield(.fetched(.success(outcome)))
      } catch {
        post.yield(.fetched(.failure(error)))
      }
    }
  }

  private func setTimer(_ moment: Duration?, _ work: inout Work) {
    guard moment != work.timerMoment else { return }
    work.timer?.cancel()
    work.timerMoment = moment
    work.timer = moment.map { moment in
      Task { [time, post] in
        // Cancelled: another moment counts, or none.
        guard (try? await time.sleep(until: moment)) != nil else { return }
        post.yield(.timer)
      }
    }
  }

  private func openStream(_ work: inout Work) {
    work.streamNumber += 1
    let number = work.streamNumber
    let source = EventSource(
      surroundings.requests().events(), transport: surroundings.transport,
      clock: surroundings.clock, random: surroundings.random)
    work.source = source
    work.pump = Task { [post] in
      for await update in source.updates { post.yield(.stream(number, update)) }
    }
    source.start()
  }

  private func closeStream(_ work: inout Work) async {
    await work.source?.close()
    await work.pump?.value
    work.source = nil
    work.pump = nil
    work.streamNumber += 1
  }

  /// The `ts` of an event's data, `{"ts": …}`.
  private static func timestamp(of data: String) -> Int64? {
    // Why it cannot be read makes no difference: such an event is ignored.
    (try? JSONValue(parsing: data))?["ts"]?.integerValue
  }
}
