// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEvaluation
import AnoleModels
import AnoleNetworking
import AnoleStorage
import AnoleTargeting
import AnoleTracking
import Dispatch

/// What all clients of one site with one configuration share: the data file and its updates, the
/// visitors' records, tracking, and the way to the platform.
///
/// Life: made, ``open()``ed, used by any number of clients, ``shutDown()`` after the last one. Any
/// thread may call. Nothing waits but ``open()``, for the disk, and what is `async`.
final class ProjectEngine: Sendable {
  /// The settings in force.
  let settings: EffectiveConfiguration
  /// Where callbacks run.
  let executor: any CallbackExecutor
  /// What changes: the data file, the clients.
  let state: EngineState
  /// The records in memory.
  let visitors = VisitorTable()
  /// How records age.
  let keeper: VisitorKeeper
  /// Sends events.
  let tracker: Tracker
  /// Reports activity.
  let activity: ActivityClock
  /// The way to the platform.
  let platform: Platform
  /// What survives the process.
  let local: LocalState
  /// Measures intervals and limits.
  let time: TimeSource
  /// The time of day.
  let wallClock: WallClock

  private let services: EngineServices
  private let sdk: SDKIdentity
  private let scope: StoredDataFile.Scope
  private let writer: StateWriter
  private let loader: ConfigurationLoader
  private let publisher: Publisher
  private let tasks = TaskBag()
  private let opening = DispatchQueue(label: "kameleoonClient.opening")
  private let isOpen = Lock(false)
  /// Keeps the observation of the application's life going.
  private let observation = Lock<(any AnyObject & Sendable)?>(nil)

  /// Makes an engine; nothing is opened yet.
  init(siteCode: String, settings: EffectiveConfiguration, services: EngineServices) {
    let time = TimeSource(services.clock)
    let state = EngineState(utcOffset: services.deviceInfo.timeZoneOffset)
    let platform = Platform(siteCode: siteCode, settings: settings, services: services)
    let writer = StateWriter(store: services.store)
    let local = LocalState(store: services.store, writer: writer)
    let keeper = VisitorKeeper(
      expiration: settings.dataExpiration, wallClock: services.wallClock,
      deviceInfo: services.deviceInfo)
    let tracker = Self.tracker(settings, services, platform)
    let activity = ActivityClock(
      interval: settings.activityInterval, time: time, isForeground: services.lifecycle.isActive,
      report: { tracker.enqueue($0) })
    let deviceInfo = services.deviceInfo
    let feed = VisitorFeed(
      visitors: visitors, keeper: keeper, project: { state.snapshot },
      hooks: VisitorFeed.Hooks(
        sent: { activity.sent($0) },
        ticked: { state.setUTCOffset(deviceInfo.timeZoneOffset) }))
    scope = StoredDataFile.Scope(
      siteCode: siteCode, environment: settings.environment,
      networkDomain: settings.networkDomain?.name)
    sdk = SDKIdentity(name: services.identity.name, version: services.identity.version)
    let publisher = Publisher(
      state: state, platform: platform, local: local, scope: scope, tracker: tracker, feed: feed)
    loader = ConfigurationLoader(
      interval: settings.refreshInterval, time: time,
      surroundings: Self.surroundings(services, platform, publisher, state, keeper, sdk))
    self.settings = settings
    self.services = services
    self.time = time
    wallClock = services.wallClock
    self.state = state
    self.platform = platform
    self.writer = writer
    self.local = local
    self.keeper = keeper
    self.tracker = tracker
    self.activity = activity
    self.publisher = publisher
    executor = services.executor
  }

  private static func tracker(
    _ settings: EffectiveConfiguration, _ services: EngineServices, _ platform: Platform
  ) -> Tracker {
    Tracker(
      settings: Tracker.Settings(
        interval: settings.trackingInterval,
        compression: services.isCompressionEnabled ? .gzip(.balanced) : .identity,
        userAgent: platform.requests.userAgent.text),
      store: services.store, transport: services.transport, tokens: platform.tokens,
      requests: { platform.requests.tracking(body: $0) },
      clock: services.clock, wallClock: services.wallClock,
      report: { report in
        let isGood = report.code == .recovered
        KameleoonLogger.write(isGood ? .info : .warning, "tracking: \(report.message)")
      })
  }

  private static func surroundings(
    _ services: EngineServices, _ platform: Platform, _ publisher: Publisher,
    _ state: EngineState, _ keeper: VisitorKeeper, _ sdk: SDKIdentity
  ) -> ConfigurationLoader.Surroundings {
    ConfigurationLoader.Surroundings(
      transport: services.transport, requests: { platform.requests }, clock: services.clock,
      wallClock: services.wallClock, random: services.random,
      compile: { bytes, isStreamed in
        let project = ProjectSnapshot(
          try DataFile.read(bytes), origin: isStreamed ? .streamed : .fetched,
          fetchedAt: keeper.now, sdk: sdk)
        return ConfigurationLoader.CompiledFile(project: project, bytes: bytes)
      },
      publish: { publisher.publish($0, $1) },
      reportNotReady: { for client in state.clients { client.reportNotReady() } },
      reportUpdate: { for client in state.clients { client.reportUpdate() } },
      report: { KameleoonLogger.write(.warning, $0.message) })
  }

  // MARK: - Life

  /// Puts the stored or default data file in force, if there is one, and begins to ask the platform.
  ///
  /// It reads the disk on the calling thread. A second caller waits for the first; later calls do
  /// nothing.
  func open() {
    opening.sync {
      let isFirst = isOpen.withLock { isOpen in
        defer { isOpen = true }
        return !isOpen
      }
      if isFirst { begin() }
    }
  }

  private func begin() {
    settings.logRemarks()
    state.setVisitorCode(local.visitorCode().flatMap { VisitorCode.isValid($0) ? $0 : nil })
    let start = StartLoader(
      local: local, scope: scope, defaultDataFile: settings.defaultDataFile, sdk: sdk
    ).load()
    if let start { publisher.publish(start.project) }
    let isActive = services.lifecycle.isActive
    if !isActive { tracker.setPaused(true) }
    let file = start.map { start in
      ConfigurationLoader.Start(
        isRealTime: start.project.evaluation.dataFile.configuration.isRealTimeUpdate,
        validators: start.validators)
    }
    loader.start(with: file, isForeground: isActive)
    let observation = observeLifecycle()
    self.observation.withLock { $0 = observation }
  }

  private func observeLifecycle() -> any AnyObject & Sendable {
    services.lifecycle.observe {
      [
        loader, tracker, activity, state, tasks, services, visitors, local,
      ] event in
      switch event {
      case .didBecomeActive:
        state.setUTCOffset(services.deviceInfo.timeZoneOffset)
        loader.becameActive()
        tracker.setPaused(false)
        activity.becameActive()
        for client in state.clients { client.becameActive() }
      case .didEnterBackground:
        loader.enteredBackground()
        tracker.setPaused(true)
        activity.enteredBackground()
        tasks.run {
          await tracker.persist()
          // Before there is a data file the tracker knows no records.
          local.write(visitors.takeRecordChanges())
        }
      }
    }
  }

  /// Brings everything that is known to the store; sends nothing.
  func persist() async {
    await tracker.persist()
    writeRecords()
    await writer.drain()
  }

  /// Hands the changed records over to be written, for times at which no tracking runs.
  func writeRecords() {
    local.write(visitors.takeRecordChanges())
  }

  /// Ends everything and returns when nothing runs any more.
  ///
  /// What was not sent is in the store.
  func shutDown() async {
    observation.withLock { $0 = nil }
    await tasks.close()
    await activity.close()
    await loader.close()
    await tracker.close()
    writeRecords()
    await writer.drain()
    await platform.close()
    services.closeTransport()
    services.store.closeNow()
  }

  // MARK: - Status

  /// How loading goes.
  var loadStatus: LoadStatus { loader.status }

  /// Whether what is written outlives the process, as far as is known.
  var isStoreDurable: Bool {
    writer.lastOutcome.map { $0 == .durable } ?? (services.store is SQLiteStorage)
  }
}
