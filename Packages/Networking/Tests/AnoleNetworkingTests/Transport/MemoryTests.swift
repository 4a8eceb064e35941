// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleNetworking
import AnoleNetworkingTesting
import Testing

/// Each test runs in a process of its own, so that what it counts is its own.
///
/// After a tenth of the work everything has its size; the rest may add no descriptor, no thread but those of
/// the pool, and no more memory than the bound.
@Suite(
  "Transport: memory", .timeLimit(.minutes(5)), .serialized,
  .disabled(if: ProcessUse.hasSanitizer, "a sanitizer keeps what was freed"))
struct MemoryTests {
  /// By how much the resident memory may grow over the whole row: less than what 10,000 requests would leave
  /// behind if each left 200 bytes.
  static let slack = 2 << 20

  @Test("a long row of requests, whole and as streams, leaves descriptors, threads and memory flat")
  func requests() async {
    await #expect(processExitsWith: .success) {
      let server = try #require(
        LoopbackServer(records: false) { connection in
          connection.serve { _ in
            connection.answer(headers: ["Content-Encoding: gzip"], body: EncodedBodies.gzip)
          }
        })
      let transport = CurlTransport(.direct)
      func run(_ count: Int) async throws {
        for index in 0..<count {
          let request = HTTPRequest(
            method: .post, url: server.url("/\(index)"), body: [1, 2, 3], timeout: nil)
          if index.isMultiple(of: 2) {
            _ = try await transport.send(request)
          } else {
            for try await _ in try await transport.open(request).body {}
          }
        }
      }
      try await run(LoadTests.count / 10)
      let before = ProcessUse.now
      try await run(LoadTests.count)
      ProcessUse.now.expectFlat(since: before, slack: MemoryTests.slack)
      transport.shutdown()
      server.stop()
    }
  }

  @Test("a long row of lost streams leaves descriptors, threads and memory flat")
  func reconnects() async {
    await #expect(processExitsWith: .success) {
      let clock = ManualClock()
      let server = try #require(
        LoopbackServer(records: false) { connection in
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
      var losses = 0
      var before: ProcessUse?
      for await update in source.updates {
        guard case .lost(_, let pause) = update else { continue }
        losses += 1
        await clock.untilSleeping()
        if losses == LoadTests.count / 10 { before = ProcessUse.now }
        if losses == LoadTests.count / 10 + LoadTests.count { break }
        clock.advance(by: pause)
      }
      let earlier = try #require(before)
      ProcessUse.now.expectFlat(since: earlier, slack: MemoryTests.slack)
      await source.close()
      transport.shutdown()
      server.stop()
    }
  }

  @Test("a long row of broken requests leaves descriptors, threads and memory flat")
  func failures() async {
    await #expect(processExitsWith: .success) {
      let server = try #require(
        LoopbackServer(records: false) { connection in
          guard let request = connection.readRequest() else { return }
          connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
          if request.line.contains("/hang") { connection.waitForClose() }
        })
      let transport = CurlTransport(.direct)
      func run(_ count: Int) async {
        for index in 0..<count {
          if index.isMultiple(of: 2) {
            _ = await transport.failure(of: HTTPRequest(url: server.url()))
          } else {
            let task = Task { await transport.failure(of: HTTPRequest(url: server.url("/hang"))) }
            task.cancel()
            _ = await task.value
          }
        }
      }
      await run(LoadTests.count / 10)
      let before = ProcessUse.now
      await run(LoadTests.count)
      ProcessUse.now.expectFlat(since: before, slack: MemoryTests.slack, closing: 8)
      transport.shutdown()
      server.stop()
    }
  }
}
