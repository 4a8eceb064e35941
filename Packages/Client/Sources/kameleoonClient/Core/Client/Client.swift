// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import AnoleTracking

/// The client of one visitor: a thin facade over the engine that all clients of its site share.
///
/// A read takes the project once, and decides and saves under the lock of the visitor's record alone, so
/// that visitors do not wait for each other.
final class Client: AnoleClient {
  private struct State: Sendable {
    var project: EngineState.Project
    var isClosed = false
    var updateHandler: HandedOver<Void>?
    var observers = ChangeObservers()
    private var isReporting = false
    private var mustReportAgain = false

    /// Whether the caller is the one to look at the observed flags.
    mutating func beginReport() -> Bool {
      guard !observers.isEmpty else { return false }
      mustReportAgain = isReporting
      guard !isReporting else { return false }
      isReporting = true
      return true
    }

    /// Whether the one who looked has to look again.
    mutating func endReport() -> Bool {
      defer { mustReportAgain = false }
      isReporting = mustReportAgain
      return mustReportAgain
    }

    init(project: EngineState.Project) {
      self.project = project
    }
  }

  /// The code, given or generated.
  let visitorCode: String
  /// Whether the code is the customer's own identifier.
  let isUniqueIdentifier: Bool
  /// What the clients of the site share.
  let engine: ProjectEngine
  /// The visitor's record, or what leads to it.
  let slot: VisitorSlot
  /// What calls without `async` begin.
  let tasks = TaskBag()

  /// Whether the visitor's data expire.
  let expires: Bool
  private let wallClock: WallClock
  private let readiness: Readiness
  private let onClose: @Sendable (Client) async -> Void
  private let state: Lock<State>

  /// Makes a client; ``ClientRegistry`` adds it to its engine.
  ///
  /// - Parameters:
  ///   - visitorCode: a valid code.
  ///   - isUniqueIdentifier: whether it is the customer's own identifier.
  ///   - slot: the visitor's record.
  ///   - engine: what the clients of the site share; open.
  ///   - onClose: ends the engine with its last client.
  init(
    visitorCode: String, isUniqueIdentifier: Bool, slot: VisitorSlot, engine: ProjectEngine,
    onClose: @escaping @Sendable (Client) async -> Void
  ) {
    self.visitorCode = visitorCode
    self.isUniqueIdentifier = isUniqueIdentifier
    self.slot = slot
    self.engine = engine
    self.onClose = onClose
    expires = engine.keeper.expires
    wallClock = engine.wallClock
    readiness = Readiness(time: engine.time)
    state = Lock(State(project: EngineState.Project(utcOffset: 0, revision: -1)))
  }

  // MARK: - What the engine tells

  /// Takes a newer project.
  func use(_ project: EngineState.Project) {
    let isNewFile = state.withLock { state -> Bool in
      guard !state.isClosed, project.revision > state.project.revision else { return false }
      defer { state.project = project }
      return project.snapshot != nil && project.snapshot !== state.project.snapshot
    }
    guard isNewFile else { return }
    readiness.becomeReady()
    beginActivity()
    reportChanges()
  }

  /// There is no data file, and the fetch has failed.
  func reportNotReady() { readiness.reportNotReady() }

  /// A data file that a stream event announced is in force.
  func reportUpdate() {
    guard state.withLock({ $0.updateHandler }) != nil else { return }
    engine.executor.execute { [weak self] in
      // The handler that is set when its turn comes: one that was replaced is not called any more.
      self?.state.withLock { $0.updateHandler }?.run(())
    }
  }

  /// The client is made: a new visit begins unless the last one goes on.
  func beginVisit() {
    change { record, now in
      _ = engine.keeper.noteActivity(in: &record, at: now)
      engine.keeper.noteApplication(in: &record, at: now)
    }
  }

  /// The application is active again: a new visit may begin.
  func becameActive() {
    let isNew = change { record, now in
      engine.keeper.noteActivity(in: &record, at: now)
    }
    if isNew, snapshot != nil { engine.tracker.enqueue(visitorCode) }
  }

  // MARK: - Parts of calls

  /// The data file in force; nil while there is none, and after ``close()``.
  var snapshot: ProjectSnapshot? { state.withLock { $0.project.snapshot } }

  /// The data file in force and the distance of local time from UTC.
  ///
  /// - Throws: ``KameleoonError/sdkNotReady``.
  func project() throws -> (snapshot: ProjectSnapshot, utcOffset: Int) {
    let project = state.withLock { $0.project }
    guard let snapshot = project.snapshot else { throw KameleoonError.sdkNotReady }
    return (snapshot, project.utcOffset)
  }

  /// A copy of the visitor's record for deciding, without what is too old.
  func record(at now: Timestamp) -> VisitorRecord {
    var record = slot.record
    if expires { engine.keeper.expire(&record, at: now) }
    return record
  }

  /// The time now.
  @inline(__always)
  var now: Timestamp { Timestamp(milliseconds: wallClock.milliseconds) }

  /// Changes the visitor's record, which is then written with the next interval.
  @discardableResult
  func change<Result: Sendable>(
    _ change: (inout VisitorRecord, Timestamp) -> Result
  ) -> Result {
    let now = self.now
    let (result, dirty) = slot.change { change(&$0, now) }
    engine.visitors.noteDirty(dirty)
    return result
  }

  /// Whether the client was closed.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Begins reporting activity, as soon as there is a data file and consent allows it.
  func beginActivity() {
    guard let snapshot else { return }
    let configuration = snapshot.evaluation.dataFile.configuration
    guard slot.record.mayBeTracked(isConsentRequired: configuration.isConsentRequired) else {
      return
    }
    engine.activity.begin(visitorCode)
  }

  // MARK: - Readiness

  var ready: Bool { snapshot != nil }

  func runWhenReady(timeoutMilliseconds: Int, callback: @escaping (Bool) -> Void) {
    let callback = HandedOver(callback)
    readiness.wait(timeout: timeout(timeoutMilliseconds)) { [executor = engine.executor] isReady in
      executor.execute { callback.run(isReady) }
    }
  }

  func runWhenReady(timeoutMilliseconds: Int) async throws {
    guard try await readiness.wait(timeout: timeout(timeoutMilliseconds)) else {
      throw KameleoonError.sdkNotReady
    }
  }

  private func timeout(_ milliseconds: Int) -> Duration {
    milliseconds < 0 ? engine.settings.timeout : .milliseconds(milliseconds)
  }

  func updateConfigurationHandler(_ handler: (() -> Void)?) {
    let handler = handler.map { handler in HandedOver<Void> { handler() } }
    state.withLock { state in
      if !state.isClosed { state.updateHandler = handler }
    }
  }

  // MARK: - Changes

  func changes(of featureKey: String) -> AsyncStream<Types.Variation> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Types.Variation.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.isClosed ? nil : state.observers.add(featureKey, continuation)
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.observers.remove(number) }
    }
    reportChanges()
    return stream
  }

  /// Looks at the observed flags again and hands out what has become different.
  ///
  /// One thread at a time looks; what changes meanwhile makes it look again, so that the last element
  /// is the newest.
  func reportChanges() {
    guard state.withLock({ $0.beginReport() }) else { return }
    repeat { reportOnce() } while state.withLock { $0.endReport() }
  }

  private func reportOnce() {
    guard let (snapshot, utcOffset) = try? project() else { return }  // Nothing to look at yet.
    let now = self.now
    let moment = Moment(now: now, utcOffsetSeconds: utcOffset)
    let record = record(at: now)
    for key in state.withLock({ $0.observers.featureKeys }) {
      // A flag that cannot be evaluated has no element.
      guard
        let decision = try? snapshot.evaluation.decide(
          key, visitorCode: visitorCode, record: record, at: moment)
      else { continue }
      let variation = snapshot.variation(of: decision)
      for observer in state.withLock({ $0.observers.update(key, variation) }) {
        observer.yield(variation)
      }
    }
  }

  // MARK: - The end

  func close() async {
    let observers = state.withLock { state -> [AsyncStream<Types.Variation>.Continuation] in
      state.isClosed = true
      state.updateHandler = nil
      state.project.snapshot = nil
      return state.observers.removeAll()
    }
    for observer in observers { observer.finish() }
    readiness.close()
    await tasks.close()
    await onClose(self)
  }
}
