// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleWireRecordings
@_spi(AnoleConformance) import kameleoonClient

/// A client of the platform of a recorded value.
final class VectorClient {
  static let siteCode = "tstsite001"

  let time = ReplayTime()
  let platform: VectorPlatform
  let client: any AnoleClient
  private let bench = WireBench()

  init(
    visitorCode: String = "visitor-1", config: KameleoonClientConfig = KameleoonClientConfig(),
    answers: VectorPlatform.Answers = VectorPlatform.Answers()
  ) throws {
    platform = VectorPlatform(answers, time: time)
    client = try bench.client(
      siteCode: Self.siteCode, visitorCode: visitorCode, config: config,
      options: ClientOptions(
        proxy: .none, store: .memory, transport: platform, clock: time.clock,
        wallClock: time.wallClock.clock, callbackExecutor: InlineCallbackExecutor(),
        lifecycle: AlwaysActive(), deviceInfo: ReplayDevice.unknown))
  }

  /// Makes a client, waits until it is ready, does something with it, and ends it.
  static func with<Result>(
    visitorCode: String = "visitor-1", config: KameleoonClientConfig = KameleoonClientConfig(),
    answers: VectorPlatform.Answers = VectorPlatform.Answers(),
    _ body: (VectorClient) async throws -> Result
  ) async throws -> Result {
    let client = try VectorClient(visitorCode: visitorCode, config: config, answers: answers)
    do {
      if answers.dataFile != nil {
        try await client.client.runWhenReady()
        try await client.time.monitor.settle()
      }
      let result = try await body(client)
      await client.client.close()
      return result
    } catch {
      await client.client.close()
      throw error
    }
  }

  /// Lets the activity event of the start leave.
  func passStart() async throws { try await time.jump(.seconds(5)) }

  /// Waits for something that needs no clock, in real time, but not for ever.
  func await(_ hasHappened: (VectorClient) -> Bool) async throws {
    try await time.monitor.await(atMost: .seconds(5)) { hasHappened(self) }
    try await time.monitor.settle()
  }

  /// Sends at once, and waits until the request was made.
  func flush() async throws {
    let earlier = count(.tracking)
    client.flush(instant: true)
    try await self.await { $0.count(.tracking) > earlier }
  }

  /// The newest request to an endpoint; nil if there was none.
  func lastRequest(_ endpoint: WireEndpoint) -> HTTPRequest? {
    platform.requests(endpoint).last
  }

  /// How many requests went to an endpoint.
  func count(_ endpoint: WireEndpoint) -> Int { platform.requests(endpoint).count }
}
