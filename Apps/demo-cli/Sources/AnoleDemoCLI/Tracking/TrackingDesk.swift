// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEmulator
import AnoleModels
import AnoleNetworking
import AnoleStorage
import AnoleTracking

/// A tracker over a folder, for single commands: it never ticks by itself.
struct TrackingDesk: Sendable {
  private let store: SQLiteStorage
  private let tracker: Tracker
  private let transport: CurlTransport
  private let time: TimeSource
  private let reports: Remarks

  /// Makes a desk; the folder is made with the first event.
  init(
    folder: String, urls: PlatformURLs, timeout: Duration, compresses: Bool,
    clock: some Clock<Duration>, wallClock: WallClock
  ) {
    let reports = Remarks()
    var configuration = SQLiteStorage.Configuration(folder: folder)
    configuration.wallClock = wallClock
    configuration.report = { reports.add($0.message) }
    store = SQLiteStorage(configuration)
    let userAgent = UserAgent(name: Program.name, version: Program.version)
    let requests = PlatformRequests(urls: urls, userAgent: userAgent, timeout: timeout)
    transport = CurlTransport(
      CurlTransport.Configuration(proxy: .reaching(urls.overrides[.tracking]?.host)))
    tracker = Tracker(
      settings: Tracker.Settings(
        compression: compresses ? .gzip(.balanced) : .identity, userAgent: userAgent.text),
      store: store, transport: transport, requests: { requests.tracking(body: $0) }, clock: clock,
      wallClock: wallClock,
      report: { reports.add($0.message) })
    self.reports = reports
    time = TimeSource(clock)
  }

  /// Sentences about what went wrong on the way, in order.
  var remarks: [String] { reports.all }

  /// Brings an event to the folder.
  ///
  /// - Throws: a sentence if it is not on disk.
  func accept(_ event: TrackingEvent, of identity: TrackingIdentity) async throws(Failure) {
    tracker.submit([event], of: identity)
    guard await tracker.persist() == .durable else {
      let reason = reports.all.first ?? "the folder cannot be written"
      throw Failure("the event was not stored: \(reason)")
    }
  }

  func status() async -> TrackingStatus { await tracker.status() }

  /// Sends until nothing waits or a request fails.
  func flush() async -> Delivery { await tracker.flush() }

  /// Flushes again and again until nothing waits, or a time has passed.
  func drain(within limit: Duration) async -> Delivery {
    let end = time.now + limit
    var total = await tracker.flush()
    while await tracker.status().queued > 0, time.now < end {
      // Cancelled: what was sent is told all the same.
      guard (try? await time.sleep(for: .seconds(1))) != nil else { break }
      total.add(await tracker.flush())
    }
    return total
  }

  func close() async {
    await tracker.close()
    transport.shutdown()
    store.close()
  }
}
