// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleNetworking
import Testing

/// A limit that a test waits for, since the server never does what would end the wait.
private let shortLimit = Duration.milliseconds(50)

@Suite("HTTP: slow answers", .timeLimit(.minutes(2)))
struct SlowAnswerTests {
  /// An emulator whose clock stands still: whatever is slow never comes to its end.
  private func stuckEmulator(_ fault: Fault) -> Emulator {
    let emulator = Emulator(time: TimeSource(ManualClock()))
    emulator.addFault(fault, on: .dataFile)
    return emulator
  }

  @Test("a head that comes byte by byte is read")
  func slowHead() async throws {
    try await withTransport { emulator, transport async throws in
      emulator.addFault(.slowHead(bytes: 1, every: .zero), on: .dataFile)
      let response = try await transport.send(emulator.dataFileRequest())
      #expect(response.status == 200)
      #expect(response.text == Bodies.file)
      #expect(response.headers["Last-Modified"] == Bodies.date)
    }
  }

  @Test("a body that comes byte by byte is read")
  func slowBody() async throws {
    try await withTransport { emulator, transport async throws in
      emulator.addFault(.drip(bytes: 1, every: .zero), on: .dataFile)
      let response = try await transport.send(emulator.dataFileRequest())
      #expect(response.text == Bodies.file)
    }
  }

  @Test("the limit of an attempt ends a head that never ends")
  func headTimedOut() async throws {
    let emulator = stuckEmulator(.slowHead(bytes: 10, every: .seconds(1)))
    try await withTransport(emulator) { emulator, transport async throws in
      let error = await transport.failure(of: emulator.dataFileRequest(timeout: shortLimit))
      #expect(error?.code == .timedOut)
    }
  }

  @Test("the limit of an attempt ends a body that never ends")
  func bodyTimedOut() async throws {
    let emulator = stuckEmulator(.drip(bytes: 3, every: .seconds(1)))
    try await withTransport(emulator) { emulator, transport async throws in
      let error = await transport.failure(of: emulator.dataFileRequest(timeout: shortLimit))
      #expect(error?.code == .timedOut)
      emulator.addFault(.drip(bytes: 3, every: .seconds(1)), on: .dataFile)
      let (bytes, streamError) = await transport.read(emulator.dataFileRequest(timeout: shortLimit))
      // Whether the beginning came in time is up to the machine.
      #expect(bytes.isEmpty || bytes == Array(Bodies.file.utf8.prefix(3)))
      #expect(streamError?.code == .timedOut)
    }
  }

  @Test("the limit of an attempt ends the wait for an answer that never comes")
  func neverAnswered() async throws {
    try await withTransport(stuckEmulator(.neverAnswer)) { emulator, transport async throws in
      let error = await transport.failure(of: emulator.dataFileRequest(timeout: shortLimit))
      #expect(error?.code == .timedOut)
      // The connection is closed: the server does not wait any longer.
      try await emulator.waitForHeldRequests(count: 0)
    }
  }

  @Test("a delayed answer arrives, and other requests do not wait for it")
  func delayed() async throws {
    let clock = ManualClock()
    try await withTransport(Emulator(time: TimeSource(clock))) { emulator, transport async throws in
      emulator.addFault(.delay(.seconds(30)), on: .dataFile)
      async let slow = transport.send(emulator.dataFileRequest())
      try await emulator.waitForHeldRequests(count: 1)
      let status = try await transport.send(emulator.trackingRequest("nonce=1")).status
      await clock.untilSleeping()
      clock.advance(by: .seconds(30))
      let text = try await slow.text
      #expect(status == 204)
      #expect(text == Bodies.file)
    }
  }
}
