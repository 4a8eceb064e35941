// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleNetworkingTesting
import Testing

@Suite("Life cycle")
struct LifeCycleTests {
  @Test("address and port are known while it runs")
  func address() throws {
    let emulator = Emulator()
    #expect(emulator.baseURL == nil)
    #expect(!emulator.isRunning)
    try emulator.start()
    let port = try #require(emulator.port)
    #expect(emulator.baseURL == "http://127.0.0.1:\(port)")
    emulator.stop()
    emulator.stop()
    #expect(emulator.port == nil)
  }

  @Test("it listens on the IPv6 loopback address if asked to")
  func ipv6() async throws {
    let emulator = Emulator()
    do {
      try emulator.start(address: .ipv6)
    } catch  where error.code == .system {
      // The system has no IPv6: nothing to test.
      return
    }
    defer { emulator.stop() }
    emulator.setDataFile("{}")
    #expect(emulator.baseURL?.hasPrefix("http://[::1]:") == true)
    let wire = try await Wire.connect(emulator.port, ipv6: true)
    try await wire.write(requestBytes("GET", "/v3/s"))
    #expect(try await wire.answer().status == 200)
  }

  @Test("a port in use and a second start are clear errors")
  func errors() throws {
    let first = Emulator()
    try first.start()
    defer { first.stop() }
    let port = try #require(first.port)
    let inUse = #expect(throws: EmulatorError.self) { try Emulator().start(port: port) }
    #expect(inUse?.code == .addressInUse)
    #expect(inUse?.message.contains("127.0.0.1:\(port)") == true)
    let running = #expect(throws: EmulatorError.self) { try first.start() }
    #expect(running?.code == .alreadyRunning)
  }

  @Test("it starts again on the same port, with what was set and recorded")
  func restart() async throws {
    let emulator = Emulator()
    emulator.setDataFile("{}")
    let port = try startOnFixedPort(emulator)
    for _ in 0..<5 {
      let wire = try await Wire.connect(port)
      try await wire.write(requestBytes("GET", "/v3/s"))
      #expect(try await wire.answer().status == 200)
      emulator.stop()
      #expect(try await wire.readToEnd().isEmpty)
      await #expect(throws: WireError.self) { try await Wire.connect(port) }
      try emulator.start(port: port)
    }
    emulator.stop()
    #expect(emulator.requests().map(\.sequence) == [1, 2, 3, 4, 5])
  }

  /// Starts on a port that the system gives to nobody else: it lies below those for port 0.
  private func startOnFixedPort(_ emulator: Emulator) throws -> UInt16 {
    for port in UInt16(21_000)...21_100 {
      do {
        try emulator.start(port: port)
      } catch {
        if error.code == .addressInUse { continue }
        throw error
      }
      return port
    }
    throw WireError(message: "no port is free")
  }

  @Test("stopping ends open streams and those that wait")
  func stopWithStreams() async throws {
    let emulator = Emulator()
    try emulator.start()
    var wires: [Wire] = []
    for _ in 0..<10 { wires.append(try await openStream(emulator).0) }
    let waiting = Task { try await emulator.waitForRequests(count: 1000) }
    emulator.stop()
    for wire in wires { _ = try await wire.readToEnd() }
    #expect(emulator.openStreams == 0)
    await #expect(throws: EmulatorError.self) { try await waiting.value }
  }

  @Test("it may be stopped from many threads at once")
  func concurrentStop() async throws {
    for _ in 0..<20 {
      let emulator = Emulator()
      try emulator.start()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { try await onThread { emulator.stop() } } }
        try await group.waitForAll()
      }
      #expect(!emulator.isRunning)
    }
  }

  @Test("an emulator that nobody holds any more closes its port")
  func released() async throws {
    var emulator: Emulator? = Emulator()
    try emulator?.start()
    let (wire, _) = try await openStream(try #require(emulator))
    emulator = nil
    _ = try await wire.readToEnd()
  }

  @Test("a hundred requests at once are all answered and recorded")
  func parallel() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(String(repeating: "x", count: 50_000))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<100 {
          group.addTask {
            let answer = try await exchange(emulator.port, "GET", "/v3/s?ts=\(number)")
            #expect(answer.body.count == 50_000)
          }
        }
        try await group.waitForAll()
      }
      let targets = Set(emulator.requests().map(\.target))
      #expect(targets == Set((0..<100).map { "/v3/s?ts=\($0)" }))
      #expect(emulator.requests().map(\.sequence) == Array(1...100))
    }
  }

  @Test("many requests follow each other on one connection")
  func keepAlive() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile("{}")
      let wire = try await Wire.connect(emulator.port)
      for _ in 0..<200 {
        try await wire.write(requestBytes("GET", "/v3/s"))
        #expect(try await wire.answer().text == "{}")
      }
      #expect(emulator.requests().count == 200)
    }
  }
}
