// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import AnoleNetworkingTesting
import Testing

/// The recordings once more, through libcurl and real connections: what arrives at the server is
/// compared, not only what was asked of the transport.
@Suite("Recorded exchanges over loopback")
struct LoopbackRecordingTests {
  @Test(
    "what arrives is what was recorded",
    arguments: tokenRecordings + configurationRecordings + streamRecordings)
  func replay(_ name: String) async throws {
    let scenario = try WireScenario(name)
    let wire = try #require(WireServer(scenario.exchanges))
    let curl = CurlTransport(.direct)
    defer {
      curl.shutdown()
      wire.server.stop()
    }
    try await WireClient(
      scenario, over: LoopbackWireTransport(curl, to: wire.server.origin)
    ).run()
    let arrived = Dictionary(grouping: wire.server.requests) {
      WireExchange.Endpoint(url: $0.line)
    }
    let recorded = Dictionary(grouping: scenario.exchanges, by: \.endpoint)
    #expect(arrived.mapValues(\.count) == recorded.mapValues(\.count))
    for (endpoint, exchanges) in recorded {
      for (request, exchange) in zip(arrived[endpoint] ?? [], exchanges) {
        compare(request, exchange)
      }
    }
  }

  private func compare(_ request: LoopbackRequest, _ exchange: WireExchange) {
    let target = LoopbackWireTransport.target(of: exchange.url)
    #expect(request.line == "\(exchange.method) \(target) HTTP/1.1")
    #expect(request.body == exchange.body ?? [])
    for (name, value) in exchange.headers {
      #expect(request.values(of: name) == [value], "\(name)")
    }
    #expect(request.values(of: "User-Agent") == ["Test/1"])
    #expect(request.values(of: "Accept-Encoding") == ["gzip, deflate"])
  }
}
