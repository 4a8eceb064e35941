// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Opens a stream and reads the head of its answer.
func openStream(_ emulator: Emulator, siteCode: String = "s") async throws -> (Wire, WireAnswer) {
  let wire = try await Wire.connect(emulator.port)
  try await wire.write(
    requestBytes("GET", "/sse?siteCode=\(siteCode)", headers: ["Accept: text/event-stream"]))
  let head = WireAnswer(head: try await wire.read(through: "\r\n\r\n"))
  return (wire, head)
}

@Suite("Event streams")
struct StreamTests {
  @Test("the head of a stream arrives before the first event")
  func head() async throws {
    try await withEmulator { emulator async throws in
      let (wire, head) = try await openStream(emulator)
      #expect(head.status == 200)
      #expect(head.header("Content-Type") == "text/event-stream")
      #expect(head.header("Transfer-Encoding") == "chunked")
      withExtendedLifetime(wire) { #expect(emulator.openStreams == 1) }
    }
  }

  @Test("events and comments arrive as they were pushed, in order")
  func events() async throws {
    try await withEmulator { emulator async throws in
      let (wire, _) = try await openStream(emulator)
      #expect(emulator.pushConfigurationUpdate(timestamp: 1_764_000_123_456) == 1)
      #expect(
        try await wire.read(through: "\n\n").hasSuffix(
          "event: configuration-update-event\ndata: {\"ts\": 1764000123456}\n\n"))
      emulator.pushComment("still here")
      emulator.pushEvent(name: nil, data: "two\nlines")
      #expect(try await wire.read(through: ": still here\n\n").hasSuffix(": still here\n\n"))
      #expect(try await wire.read(through: "lines\n\n").hasSuffix("data: two\ndata: lines\n\n"))
    }
  }

  @Test("bytes pushed with the opening are not lost")
  func pushWhileOpening() async throws {
    try await withEmulator { emulator async throws in
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(requestBytes("GET", "/sse?siteCode=s"))
      try await emulator.waitForOpenStreams(count: 1)
      emulator.pushStreamBytes(Array("data: early\n\n".utf8))
      #expect(try await wire.read(through: "early\n\n").hasSuffix("data: early\n\n"))
    }
  }

  @Test("fifty streams at once all get every event")
  func fifty() async throws {
    try await withEmulator { emulator async throws in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          group.addTask {
            let (wire, _) = try await openStream(emulator)
            for number in 0..<20 {
              let end = "data: \(number).\n\n"
              #expect(try await wire.read(through: end).hasSuffix(end))
            }
          }
        }
        try await emulator.waitForOpenStreams(count: 50)
        for number in 0..<20 { #expect(emulator.pushEvent(name: nil, data: "\(number).") == 50) }
        try await group.waitForAll()
      }
      try await emulator.waitForOpenStreams(count: 0)
    }
  }

  @Test("only the streams of a site code are reached or closed")
  func siteCodes() async throws {
    try await withEmulator { emulator async throws in
      let (first, _) = try await openStream(emulator, siteCode: "a")
      let (second, _) = try await openStream(emulator, siteCode: "b")
      #expect(emulator.pushEvent(name: nil, data: "for a", siteCode: "a") == 1)
      #expect(emulator.closeStreams(siteCode: "b") == 1)
      #expect(try await first.read(through: "for a\n\n").hasSuffix("data: for a\n\n"))
      #expect(try await second.read(through: "\r\n\r\n") == "0\r\n\r\n")
      withExtendedLifetime(first) { #expect(emulator.openStreams == 1) }
    }
  }

  @Test("a stream that the client leaves is noticed")
  func clientLeaves() async throws {
    try await withEmulator { emulator async throws in
      var wire: Wire? = try await openStream(emulator).0
      #expect(emulator.openStreams == 1)
      _ = wire
      wire = nil
      try await emulator.waitForOpenStreams(count: 0)
      #expect(emulator.pushComment("nobody") == 0)
    }
  }

  @Test("streams that are left free their descriptors although an older connection is idle")
  func descriptors() async throws {
    try await withEmulator { emulator async throws in
      let idle = try await Wire.connect(emulator.port)
      func roundTrip() async throws {
        try await idle.write(requestBytes("GET", "/_control/state"))
        #expect(try await idle.answer().status == 200)
      }
      try await roundTrip()
      for _ in 0..<50 { _ = try await openStream(emulator) }
      try await emulator.waitForOpenStreams(count: 0)
      try await roundTrip()
      // The listening socket and the idle connection; one more may be on its way out.
      #expect(descriptorCount(localPort: try #require(emulator.port)) <= 3)
    }
  }

  /// How many of this process's sockets have a port as their own.
  private func descriptorCount(localPort: UInt16) -> Int {
    (3..<Int32(4096)).count { descriptor in
      var name = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutableBytes(of: &name) { bytes in
        bytes.withMemoryRebound(to: sockaddr.self) {
          getsockname(descriptor, $0.baseAddress, &length)
        }
      }
      return status == 0 && UInt16(bigEndian: name.sin_port) == localPort
    }
  }

  @Test("a client that does not read is cut off at the limit")
  func slowReader() async throws {
    try await withEmulator { emulator async throws in
      let (wire, _) = try await openStream(emulator)
      let block = [UInt8](repeating: UInt8(ascii: ":"), count: 1 << 20)
      while emulator.openStreams == 1 { emulator.pushStreamBytes(block) }
      try await emulator.waitForOpenStreams(count: 0)
      _ = try await wire.readToEnd()
    }
  }
}
