// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleEvaluation
import AnoleModels
import AnoleNetworking
import AnoleTargeting

/// The demonstration's last part: the data file comes over real HTTP from the emulator, and a
/// change of it arrives by the event stream.
struct LiveChange {
  /// What was asked and answered, in order.
  private(set) var steps: [String] = []
  /// The decision before and after the change.
  private(set) var before = ""
  private(set) var after = ""

  private static let siteCode = "demo-shop"
  static let flag = "checkout"
  static let visitor = Demonstration.explainedVisitor

  /// Runs the platform, fetches, changes the file, and follows the change.
  init(in environment: Environment) async throws(Failure) {
    let emulator = Emulator()
    emulator.setDataFile(
      ShopDataFile.text, lastModified: HTTPDate.text(environment.now()))
    try emulator.begin()
    defer { emulator.stop() }
    let fetcher = DataFileFetcher(
      try PlatformURLs.reading(
        siteCode: Self.siteCode, base: emulator.baseURL,
        sdk: ClientIdentity(name: environment.sdk.name, version: environment.sdk.version)))
    let first = try await fetch(fetcher, environment)
    let stream = fetcher.changes()
    stream.start()
    try await follow(stream.updates, first, emulator, fetcher, environment)
    await stream.close()
  }

  private mutating func fetch(
    _ fetcher: DataFileFetcher, _ environment: Environment
  ) async throws(Failure) -> FetchedFile {
    guard let file = try await fetcher.fetch() else {
      throw .network("\(fetcher.address): has no data file")
    }
    steps.append(
      "GET /v3/\(Self.siteCode): \(Wording.count(file.bytes.count, "byte")), last modified "
        + (file.validators.lastModified ?? "never"))
    before = try decide(file, environment)
    steps.append("\(Self.visitor) gets \(Self.flag) = \(before)")
    return file
  }

  /// Changes the file as soon as the stream stands, and fetches it when the event comes.
  private mutating func follow(
    _ updates: AsyncStream<EventSource.Update>, _ first: FetchedFile, _ emulator: Emulator,
    _ fetcher: DataFileFetcher, _ environment: Environment
  ) async throws(Failure) {
    for await update in updates {
      switch update {
      case .connecting, .closed: break
      case .lost(let loss, _): throw .network("the event stream of the emulator is lost: \(loss)")
      case .connected:
        steps.append("GET /sse: the stream is open; now somebody switches \(Self.flag) off")
        let now = environment.now().milliseconds
        emulator.setDataFile(
          ShopDataFile.withoutCheckout,
          lastModified: HTTPDate.text(Timestamp(milliseconds: now + 1000)))
        emulator.pushConfigurationUpdate(timestamp: now)
      case .event(let event):
        guard let timestamp = DataFileFetcher.timestamp(of: event) else { continue }
        steps.append("event \(event.type) arrives")
        let changed = try await fetcher.fetch(
          timestamp: timestamp, validators: first.validators)
        guard let changed else { throw .network("the changed data file was not served") }
        steps.append("GET /v3/\(Self.siteCode)?ts=…, If-Modified-Since: the changed file")
        after = try decide(changed, environment)
        steps.append("\(Self.visitor) gets \(Self.flag) = \(after)")
        return
      }
    }
  }

  private func decide(
    _ file: FetchedFile, _ environment: Environment
  ) throws(Failure) -> String {
    let snapshot = Snapshot(file.reading.dataFile, sdk: environment.sdk)
    let moment = Moment(now: environment.now())
    do throws(EvaluationError) {
      return try snapshot.decide(
        Self.flag, visitorCode: Self.visitor, record: VisitorRecord(visitStart: moment.now),
        at: moment
      ).variationKey
    } catch {
      guard case .environmentDisabled = error else { throw Failure(error.description) }
      return "nothing: the flag is switched off"
    }
  }

  var document: JSONValue {
    [
      "flag": .string(Self.flag), "visitor": .string(Self.visitor), "before": .string(before),
      "after": .string(after), "steps": .array(steps.map(JSONValue.string)),
    ]
  }
}
