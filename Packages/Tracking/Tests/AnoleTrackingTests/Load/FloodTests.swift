// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleNetworkingTesting
import AnoleStorage
import AnoleStorageTesting
import Testing

@Suite("Flood", .serialized, .timeLimit(.minutes(10)))
struct FloodTests {
  private static let count = TestRun.isLong ? 1_000_000 : TestRun.isSanitized ? 20_000 : 50_000

  @Test(
    "while the server answers 429 to a flood, memory and queue stay bounded; afterwards it drains")
  func flood() async throws {
    let folder = try TemporaryFolder()
    let emulator = Emulator()
    try emulator.start()
    defer { emulator.stop() }
    emulator.addFault(.status(429), on: .tracking, times: nil)
    let port = try #require(emulator.port)
    let numbers = try await onThread {
      let process = try ChildProcess.writer(["flood", folder.store, "\(port)", "\(Self.count)"])
      var numbers: [String: Int] = [:]
      while let line = process.line() {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count > 1, let number = Int(words[1]) else { continue }
        numbers[String(words.count > 2 ? words[2] : words[0]), default: 0] += number
        guard words[0] == "queued" else { continue }
        emulator.clearFaults()
        process.say("go")
      }
      #expect(process.waitUntilExit() == 0)
      return numbers
    }
    let grown = try #require(numbers["grown"])
    let queued = try #require(numbers["queued"])
    let sent = try #require(numbers["sent"])
    if !TestRun.isSanitized { #expect(grown < 20 * 1_024, "KiB") }
    #expect(queued <= StorageLimits().outboxCount)
    #expect(sent > 0)
    let dropped = ["buffer full", "queue full", "count", "bytes"].reduce(0) {
      $0 + (numbers[$1] ?? 0)
    }
    #expect(sent + dropped == Self.count, "\(numbers)")
    #expect(emulator.acceptedEvents.count == sent)
    print("flood: \(numbers)")
  }
}
