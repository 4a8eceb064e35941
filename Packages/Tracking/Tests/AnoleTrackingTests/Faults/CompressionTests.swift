// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import AnoleNetworking
import AnoleTracking
import Testing

@Suite("Compression of requests", .timeLimit(.minutes(1)))
struct CompressionTests {
  private func setUp(_ setup: inout Bench.Setup) {
    setup.settings.compression = .gzip(.balanced)
  }

  private func encodings(_ bench: Bench) -> [String?] {
    bench.requests.map { $0.header("Content-Encoding") }
  }

  @Test("bodies are gzip; those under 256 bytes are plain; the delivery says how large")
  func compressed() async throws {
    try await Bench.with(Bench.Setup(setUp)) { bench async throws in
      bench.submit(conversion(1))
      let small = await bench.tracker.flush()
      #expect(!small.isCompressed)
      for goal in 2...100 { bench.submit(conversion(goal)) }
      let large = await bench.tracker.flush()
      #expect(large.isCompressed)
      #expect(encodings(bench) == [nil, "gzip"])
      let request = bench.requests[1]
      #expect(large.bytes == request.body.count)
      #expect(request.nonces == Array(2...100))
      #expect(request.body.count * 4 < request.decodedBody?.count ?? 0)
      #expect(request.tracking?.findings == [])
    }
  }

  @Test(
    "a server that refuses compressed bodies gets the same body plain at once, and later only such",
    arguments: [400, 411, 415, 501])
  func refused(_ status: Int) async throws {
    try await Bench.with(Bench.Setup(setUp)) { bench async throws in
      bench.emulator.addFault(.status(status), on: .tracking)
      for goal in 1...10 { bench.submit(conversion(goal)) }
      let delivery = await bench.tracker.flush()
      #expect(delivery.outcome == .delivered(status: 204))
      #expect(delivery.attempts == 2 && !delivery.isCompressed)
      #expect(delivery.bytes == bench.requests[1].body.count)
      #expect(bench.requests[0].decodedBody == bench.requests[1].body)
      #expect(bench.clock.sleeperCount == 0 && bench.clock.now.offset == .zero)
      for goal in 11...20 { bench.submit(conversion(goal)) }
      await bench.tracker.flush()
      #expect(encodings(bench) == ["gzip", nil, nil])
      #expect(bench.acceptedNonces == Array(1...20))
      #expect(await !bench.tracker.status().isCompressing)
      #expect(bench.reports.value.map(\.code) == [.compressionRefused])
    }
  }

  @Test("if the plain body is not taken either, compression was not the reason")
  func notTheReason() async throws {
    try await Bench.with(Bench.Setup(setUp)) { bench async throws in
      bench.emulator.addFault(.status(415), on: .tracking, times: 4)
      for goal in 1...10 { bench.submit(conversion(goal), of: "v\(goal)") }
      let failure = await bench.flush(passingPauses: 1)
      #expect(failure.outcome == .refused(status: 415))
      #expect(failure.attempts == 4)
      #expect(encodings(bench) == ["gzip", nil, "gzip", nil])
      #expect(await bench.tracker.status().isCompressing)
      #expect(await bench.tracker.flush().events == 10)
      #expect(encodings(bench).last == "gzip")
      #expect(bench.reports.value.map(\.code) == [.failing, .recovered])
    }
  }

  @Test("other failures do not put compression in question", arguments: [401, 404, 413, 429, 500])
  func others(_ status: Int) async throws {
    try await Bench.with(Bench.Setup(setUp)) { bench async throws in
      bench.emulator.addFault(.status(status), on: .tracking)
      for goal in 1...10 { bench.submit(conversion(goal)) }
      #expect(await bench.flush(passingPauses: 1).events == 10)
      #expect(encodings(bench) == ["gzip", "gzip"])
      #expect(bench.requests[0].body == bench.requests[1].body)
    }
  }

  @Test("a value that compresses a thousand times is repeated plain all the same")
  func extremeRatio() async throws {
    try await Bench.with(Bench.Setup(setUp)) { bench async throws in
      bench.emulator.addFault(.status(415), on: .tracking)
      bench.submit(.customData(index: 1, values: [String(repeating: "x", count: 3_000_000)]))
      #expect(await bench.tracker.flush().events == 1)
      #expect(bench.requests.map(\.body.count).max() ?? 0 > 3_000_000)
    }
  }
}
