// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import AnoleNetworking
import AnoleNetworkingTesting
import AnoleStorage
import AnoleStorageTesting
import AnoleTracking
import Testing

/// One of the processes that share an outbox: how far it has come, over all its lives.
private struct Producer: Sendable {
  let end: Int
  /// All nonces below this are on disk.
  var next: Int

  var isDone: Bool { next == end }
}

@Suite("Killed processes", .serialized, .timeLimit(.minutes(10)))
struct KillTests {
  /// How many events and how many kills.
  private static let size: (events: Int, kills: Int) =
    TestRun.isLong ? (10_000, 300) : TestRun.isSanitized ? (200, 6) : (1_000, 30)

  @Test(
    "killed with -9 at any point, three processes with one outbox lose no event and double no nonce"
  )
  func kills() async throws {
    let folder = try TemporaryFolder()
    let emulator = Emulator()
    try emulator.start()
    defer { emulator.stop() }
    let port = try #require(emulator.port)
    let (kills, reports) = try await onThread {
      try Self.produce(folder: folder.store, port: Int(port))
    }
    #expect(kills >= Self.size.kills)
    #expect(reports.isEmpty, "\(reports)")
    try await drain(folder: folder.store, port: Int(port))
    let numbers = emulator.acceptedEvents.compactMap { $0.nonce.flatMap { Int($0, radix: 16) } }
    #expect(numbers.count == Self.size.events)
    #expect(Set(numbers) == Set(1...Self.size.events))
    for request in emulator.requests(.tracking) {
      let findings = request.tracking?.findings.map(\.kind) ?? []
      #expect(findings.allSatisfy { $0 == .duplicateNonce }, "\(findings)")
    }
  }

  /// Starts and kills producers until all events were accepted.
  private static func produce(
    folder: String, port: Int
  ) throws -> (kills: Int, reports: [String]) {
    var dice = SplitMix64(seed: 11)
    let share = size.events / 3 + 1
    var producers = (0..<3).map { number in
      Producer(end: min((number + 1) * share, size.events) + 1, next: number * share + 1)
    }
    var kills = 0
    var reports: [String] = []
    while producers.contains(where: { !$0.isDone }) {
      let processes = try producers.map { producer in
        try producer.isDone
          ? nil
          : ChildProcess.writer([
            "produce", folder, "\(port)", "\(producer.next)", "\(producer.end)",
          ])
      }
      for (number, process) in processes.enumerated() {
        guard let process else { continue }
        var lines: [String] = []
        for _ in 0..<Int.random(in: 0..<9, using: &dice) {
          if let line = process.line() { lines.append(line) }
        }
        process.kill()
        lines += process.lines()
        if lines.last != "done" { kills += 1 }
        for line in lines {
          let words = line.split(separator: " ")
          switch words.first {
          case "accepted": producers[number].next = try #require(Int(words[1]))
          case "flushed", "done": break
          default: reports.append(line)
          }
        }
      }
    }
    return (kills, reports)
  }

  /// Sends what is left, at a time at which the leases of the dead have ended.
  private func drain(folder: String, port: Int) async throws {
    let wall = ManualWallClock(milliseconds: WallClock.system.milliseconds + 600_000)
    var configuration = SQLiteStorage.Configuration(folder: folder)
    configuration.wallClock = wall.clock
    let store = SQLiteStorage(configuration)
    let transport = CurlTransport(CurlTransport.Configuration(proxy: .none))
    defer { transport.shutdown() }
    let urls = PlatformURLs(
      siteCode: "s", identity: ClientIdentity(name: "SWIFT", version: "1"),
      overrides: [.tracking: EndpointAddress(port: port)])
    let requests = PlatformRequests(urls: urls, userAgent: UserAgent(name: "Shop"))
    let tracker = Tracker(
      store: store, transport: transport, requests: { requests.tracking(body: $0) },
      clock: ManualClock(), wallClock: wall.clock)
    #expect(await tracker.flush().isSuccess)
    let status = await tracker.status()
    #expect(status.storedEvents == 0)
    #expect(status.dropped.isEmpty)
    await tracker.close()
  }
}
