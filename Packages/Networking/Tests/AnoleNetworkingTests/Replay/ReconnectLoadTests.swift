// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleNetworking
import AnoleNetworkingTesting
import Testing

/// The event source through libcurl and real connections.
@Suite("Event source: load", .timeLimit(.minutes(5)), .serialized)
struct ReconnectLoadTests {
  @Test("a long row of lost streams keeps one connection at a time and leaves none behind")
  func reconnects() async throws {
    let clock = ManualClock()
    let server = try #require(
      LoopbackServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.write(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
            + "data: x\n\n")
      })
    let transport = CurlTransport(.direct)
    let source = EventSource(
      HTTPRequest(url: server.url()), transport: transport, clock: clock,
      random: RandomSource(seed: 3))
    source.start()
    var events = 0
    for await update in source.updates {
      switch update {
      case .event(let event):
        #expect(event.data == "x")
        events += 1
      case .lost(let loss, let pause):
        #expect(loss == .ended)
        guard events < LoadTests.count else { break }
        await clock.untilSleeping()
        clock.advance(by: pause)
        continue
      case .connecting:
        #expect(ProcessState.connections(to: server.port) <= 1)
        continue
      case .connected, .closed: continue
      }
      if events >= LoadTests.count { break }
    }
    await source.close()
    transport.shutdown()
    #expect(events == LoadTests.count)
    #expect(server.requests.count == LoadTests.count)
    #expect(ProcessState.connections(to: server.port) == 0)
    server.stop()
  }
}
