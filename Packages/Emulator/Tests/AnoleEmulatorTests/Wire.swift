// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleNetworkingTesting
import Foundation

#if canImport(Glibc)
  import Glibc
#endif

struct WireError: Error {
  let message: String
}

/// A plain TCP connection: what a test writes is what the emulator gets.
final class Wire: Sendable {
  /// Ends a test that would hang; no test depends on its value.
  private static let guardSeconds = 60

  let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { Glibc.close(descriptor) }

  static func connect(_ port: UInt16?, ipv6: Bool = false) async throws -> Wire {
    guard let port else { throw WireError(message: "the emulator does not run") }
    return try await onThread {
      let descriptor = socket(ipv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      let wire = Wire(descriptor: descriptor)
      var limit = timeval(tv_sec: guardSeconds, tv_usec: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      guard connectSocket(descriptor, port, ipv6: ipv6) == 0 else {
        throw WireError(message: "connect: \(String(cString: strerror(errno)))")
      }
      return wire
    }
  }

  private static func connectSocket(_ descriptor: Int32, _ port: UInt16, ipv6: Bool) -> Int32 {
    if ipv6 {
      var name = sockaddr_in6()
      name.sin6_family = sa_family_t(AF_INET6)
      name.sin6_port = port.bigEndian
      name.sin6_addr = in6addr_loopback
      return connectSocket(descriptor, &name)
    }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    return connectSocket(descriptor, &name)
  }

  private static func connectSocket<Name>(_ descriptor: Int32, _ name: inout Name) -> Int32 {
    withUnsafeBytes(of: &name) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        Glibc.connect(descriptor, $0.baseAddress, socklen_t(bytes.count))
      }
    }
  }

  func write(_ text: String) async throws { try await write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) async throws {
    try await onThread { [self] in
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count <= 0 { throw WireError(message: "send: \(String(cString: strerror(errno)))") }
        sent += count
      }
    }
  }

  /// The bytes up to and with a text; fewer if the connection ends before.
  func read(through end: String) async throws -> String {
    try await onThread { [self] in
      let end = Array(end.utf8)
      var bytes: [UInt8] = []
      while !bytes.suffix(end.count).elementsEqual(end), let byte = try receive(1).first {
        bytes.append(byte)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// A number of bytes; fewer if the connection ends before.
  func read(_ count: Int) async throws -> [UInt8] {
    try await onThread { [self] in
      var bytes: [UInt8] = []
      while bytes.count < count {
        let piece = try receive(count - bytes.count)
        if piece.isEmpty { break }
        bytes += piece
      }
      return bytes
    }
  }

  /// Everything until the connection ends, in order or broken.
  func readToEnd() async throws -> [UInt8] { try await read(.max) }

  /// One answer with a `Content-Length` or without body; the connection stays open.
  func answer(hasBody: Bool = true) async throws -> WireAnswer {
    let head = try await read(through: "\r\n\r\n")
    var answer = WireAnswer(head: head)
    if hasBody, let length = answer.header("Content-Length").flatMap({ Int($0) }) {
      answer.body = try await read(length)
    }
    return answer
  }

  private func receive(_ count: Int) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: min(count, 65_536))
    let received = recv(descriptor, &buffer, buffer.count, 0)
    if received < 0, errno == EAGAIN { throw WireError(message: "nothing arrives") }
    // A reset is an end too.
    return received > 0 ? Array(buffer.prefix(received)) : []
  }
}

/// An answer as it came.
struct WireAnswer: Sendable {
  let head: String
  var body: [UInt8] = []

  var status: Int? { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
  var text: String { String(decoding: body, as: UTF8.self) }

  func header(_ name: String) -> String? {
    for line in head.split(separator: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == name.lowercased() {
        return parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return nil
  }
}

/// Builds the bytes of a request.
func requestBytes(
  _ method: String, _ target: String, headers: [String] = [], body: [UInt8] = []
) -> [UInt8] {
  var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1"] + headers
  if method != "GET" || !body.isEmpty { lines.append("Content-Length: \(body.count)") }
  return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
}

/// One request on a connection of its own, with the answer.
func exchange(
  _ port: UInt16?, _ method: String, _ target: String, headers: [String] = [],
  body: String = ""
) async throws -> WireAnswer {
  let wire = try await Wire.connect(port)
  try await wire.write(requestBytes(method, target, headers: headers, body: Array(body.utf8)))
  return try await wire.answer()
}

/// One request on a connection of its own, and everything that comes until the connection ends.
func exchangeToEnd(
  _ port: UInt16?, _ method: String, _ target: String, headers: [String] = [],
  body: String = ""
) async throws -> String {
  let wire = try await Wire.connect(port)
  try await wire.write(requestBytes(method, target, headers: headers, body: Array(body.utf8)))
  return String(decoding: try await wire.readToEnd(), as: UTF8.self)
}

/// Runs a body with an emulator that is started before and stopped after it.
func withEmulator(
  _ emulator: Emulator = Emulator(), _ body: (Emulator) async throws -> Void
) async throws {
  try emulator.start()
  defer { emulator.stop() }
  try await body(emulator)
}

// MARK: - Listening

/// A socket at a free port of 127.0.0.1, which takes connections or refuses them.
func bindOnLoopback(listens: Bool) throws -> (descriptor: Int32, port: UInt16) {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var name = sockaddr_in()
  name.sin_family = sa_family_t(AF_INET)
  name.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &name) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, length) == 0 && (!listens || listen(descriptor, 1) == 0)
        && getsockname(descriptor, $0, &length) == 0
    }
  }
  guard isBound else {
    Glibc.close(descriptor)
    throw WireError(message: "listen: \(String(cString: strerror(errno)))")
  }
  return (descriptor, UInt16(bigEndian: name.sin_port))
}

func acceptConnection(_ listener: Int32) -> Int32 { accept(listener, nil, nil) }

func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
  recv(descriptor, buffer, count, 0)
}

func closeDescriptor(_ descriptor: Int32) { Glibc.close(descriptor) }
