// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleNetworking
import Foundation
import Testing

/// As much of a client as the recordings need to be repeated with the parts of this package.
///
/// What is to be called, and when, is taken from the recording; what goes over the wire, how often
/// and with which pauses, comes from the package.
final class WireClient {
  private let scenario: WireScenario
  private let transport: any WireRecorder
  private let tokenClock = ManualClock()
  private let pauseClock = ManualClock()
  private let streamClock = ManualClock()
  private let tokens: AccessTokenSource?
  private let sender: RequestSender
  private var requests: PlatformRequests
  private var validators: CacheValidators?
  private var source: EventSource?
  private var remoteDataCalls = 0

  /// - Parameter transport: what answers; by default the recording itself.
  init(_ scenario: WireScenario, over transport: (any WireRecorder)? = nil) {
    self.scenario = scenario
    let transport = transport ?? WireTransport(scenario.exchanges)
    self.transport = transport
    let urls = PlatformURLs(
      siteCode: scenario.siteCode, environment: scenario.environment,
      identity: WireScenario.identity,
      hosts: PlatformHosts(networkDomain: NetworkDomain.read(scenario.networkDomain).domain))
    let requests = PlatformRequests(urls: urls, userAgent: UserAgent(name: "Test", version: "1"))
    self.requests = requests
    tokens = scenario.credentials.map { [tokenClock] credentials in
      AccessTokenSource(transport: transport, clock: tokenClock) {
        requests.accessToken(credentials, timeout: $0)
      }
    }
    sender = RequestSender(transport: transport, tokens: tokens, clock: pauseClock)
  }

  /// Repeats the recording and compares all requests.
  func run() async throws {
    var passed: [WireExchange.Endpoint: Int] = [:]
    for exchange in scenario.exchanges {
      let index = passed[exchange.endpoint, default: 0]
      passed[exchange.endpoint] = index + 1
      if exchange.endpoint == .token {
        // Tokens are asked for by the requests that need them, or in the background.
        if isInBackground(index) { try await awaitToken(exchange) }
      } else if transport.count(exchange.endpoint) <= index {
        try await cause(exchange)
      }
    }
    await source?.close()
    await tokens?.shutdown()
    compare()
  }

  // MARK: - Causes of requests

  private func cause(_ exchange: WireExchange) async throws {
    switch exchange.endpoint {
    case .config: try await fetch(exchange)
    case .sse: try await openStream(exchange)
    case .tracking: await track(exchange)
    case .remoteData:
      for sleep in scenario.sleeps where sleep.callsBefore == remoteDataCalls {
        tokenClock.advance(by: .milliseconds(sleep.milliseconds))
      }
      remoteDataCalls += 1
      let key = try #require(exchange.parameter("key"))
      await send(requests.mapData(key: key))
    case .visitorData:
      let code = try #require(exchange.parameter("visitorCode"))
      await send(requests.visitorData(VisitorDataQuery(visitorCode: code)))
    case .token: break
    }
  }

  private func fetch(_ exchange: WireExchange) async throws {
    var timestamp: Int64?
    if exchange.parameter("ts") != nil { timestamp = try await nextTimestamp() }
    let fetcher = ConditionalFetch(transport: transport, clock: pauseClock)
    do {
      let outcome = try await fetcher.fetch(
        requests.configuration(timestamp: timestamp), validators: validators
      ) { try Configuration($0) }
      guard case .changed(let configuration, let validators) = outcome else { return }
      self.validators = validators
      let isApplied = requests.urls.hosts.apply(dataApiDomain: configuration.dataApiDomain)
      #expect(isApplied)
      if !configuration.isStreaming { await closeStream() }
    } catch {
      #expect(error.code == .refused || error.code == .failed)
      await closeStream()
    }
  }

  private func track(_ exchange: WireExchange) async {
    let pauses = scenario.exchanges.filter {
      $0.endpoint == .tracking && $0.millisecondsAfterPrevious == 5_000
    }
    let request = requests.tracking(body: exchange.body ?? [])
    let sender = sender
    async let outcome = try? sender.send(request, policy: .tracking)
    for _ in pauses {
      await pauseClock.untilSleeping()
      pauseClock.advance(by: .seconds(5))
    }
    _ = await outcome
  }

  private func send(_ request: HTTPRequest) async {
    // The outcome is in the recording; what counts here are the requests.
    _ = try? await sender.send(request, policy: .remoteData)
  }

  private func isInBackground(_ index: Int) -> Bool {
    scenario.name == "token_background_refresh" && index == 1
  }

  /// Waits for a token that is fetched in the background.
  private func awaitToken(_ exchange: WireExchange) async throws {
    let token = try #require(AccessToken(answer: exchange.answer.get().body))
    for _ in 0..<100_000 {
      if await tokens?.token(timeout: .zero) == token.value { return }
      await Task.yield()
    }
    Issue.record("no token was fetched in the background")
  }

  // MARK: - The stream

  private func openStream(_ exchange: WireExchange) async throws {
    let isReopened = source != nil
    if isReopened {
      guard case .lost(.ended, let pause)? = await nextUpdate() else {
        Issue.record("the stream was not lost")
        return
      }
      let recorded = Duration.milliseconds(exchange.millisecondsAfterPrevious ?? 3_000)
      #expect(pause >= recorded * 0.8 && pause <= recorded * 1.2)
      await streamClock.untilSleeping()
      streamClock.advance(by: pause)
    } else {
      let source = EventSource(
        requests.events(), transport: transport, clock: streamClock, random: RandomSource(seed: 5))
      source.start()
      self.source = source
    }
    #expect(await nextUpdate() == .connecting)
    #expect(await nextUpdate() == .connected(afterLoss: isReopened))
  }

  private func closeStream() async {
    await source?.close()
    source = nil
  }

  private func nextUpdate() async -> EventSource.Update? {
    var updates = source?.updates.makeAsyncIterator()
    return await updates?.next()
  }

  /// The time of the next event that asks for a fetch; others are passed over.
  private func nextTimestamp() async throws -> Int64 {
    while let update = await nextUpdate() {
      guard case .event(let event) = update, event.type == "configuration-update-event" else {
        continue
      }
      struct Update: Decodable { let ts: Int64 }
      return try JSONDecoder().decode(Update.self, from: Data(event.data.utf8)).ts
    }
    throw CancellationError()
  }

  // MARK: - Comparing

  private func compare() {
    let seen = transport.seen
    for endpoint in Set(scenario.exchanges.map(\.endpoint)) {
      let expected = scenario.exchanges.filter { $0.endpoint == endpoint }
      let found = seen.filter { $0.endpoint == endpoint }.map(\.request)
      #expect(found.count == expected.count, "\(endpoint)")
      for (request, exchange) in zip(found, expected) { compare(request, exchange) }
    }
    // A fetch in the background races with the request beside it.
    guard scenario.name != "token_background_refresh" else { return }
    #expect(seen.map(\.endpoint) == scenario.exchanges.map(\.endpoint))
  }

  private func compare(_ request: HTTPRequest, _ exchange: WireExchange) {
    #expect(request.method.rawValue == exchange.method)
    #expect(request.url == exchange.url)
    #expect(request.body == exchange.body)
    #expect(request.headers["User-Agent"] == "Test/1")
    var headers: [String: String] = [:]
    for field in request.headers.fields where field.name != "User-Agent" {
      headers[field.name] = field.value
    }
    #expect(headers == exchange.headers)
  }
}

/// The two values of a data file that steer requests.
private struct Configuration: Sendable {
  let dataApiDomain: String?
  let isStreaming: Bool

  init(_ bytes: [UInt8]) throws {
    struct File: Decodable {
      struct Settings: Decodable {
        let dataApiDomain: String?
        let realTimeUpdate: Bool?
      }
      let configuration: Settings
    }
    let settings = try JSONDecoder().decode(File.self, from: Data(bytes)).configuration
    dataApiDomain = settings.dataApiDomain
    isStreaming = settings.realTimeUpdate ?? false
  }
}
