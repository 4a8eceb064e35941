// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import Glibc
import Testing

@testable import AnoleNetworking

/// Runs a test against a server and a transport that meet nobody else, and ends both.
func withServer(
  family: LoopbackServer.Family = .v4, configuration: CurlTransport.Configuration = .direct,
  probe: StageProbe = StageProbe(),
  _ script: @escaping LoopbackServer.Script,
  _ test: (LoopbackServer, CurlTransport) async throws -> Void
) async throws {
  let server = try #require(LoopbackServer(family: family, script))
  let transport = CurlTransport(configuration, onStage: probe.body)
  defer {
    transport.shutdown()
    server.stop()
  }
  try await test(server, transport)
}

/// What to do when a transfer reaches a stage; on the transport's thread.
struct StageProbe: Sendable {
  let body: (@Sendable (CurlSettings.Stage) -> Void)?

  init() { body = nil }

  init(at stage: CurlSettings.Stage, _ action: @escaping @Sendable () -> Void) {
    body = { if $0 == stage { action() } }
  }
}

extension CurlTransport.Configuration {
  /// No proxy, whatever the environment of the tests says.
  static var direct: Self { Self(userAgent: HTTPUserAgent("anole-tests/1.0"), proxy: .none) }
}

extension HTTPTransport {
  /// The error of a request; nil if it succeeds.
  func failure(of request: HTTPRequest) async -> HTTPError? {
    do {
      _ = try await send(request)
      return nil
    } catch {
      return error
    }
  }
}

extension HTTPTransport {
  /// The error of a stream, of its head or in its body; nil if it is read to its end.
  func streamFailure(
    of request: HTTPRequest, _ receive: ([UInt8]) -> Void = { _ in }
  ) async -> HTTPError? {
    do {
      for try await piece in try await open(request).body { receive(piece) }
      return nil
    } catch {
      return error as? HTTPError
    }
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}

/// What the process holds, from /proc.
enum ProcessState {
  /// The number of sockets connected to a port of 127.0.0.1.
  static func connections(to port: Int) -> Int { descriptors(connectedTo: port).count }

  static func descriptors(connectedTo port: Int) -> [Int32] {
    (0..<1024).filter { descriptor in
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getpeername(descriptor, $0, &length)
        }
      }
      return status == 0 && address.sin_family == sa_family_t(AF_INET)
        && Int(UInt16(bigEndian: address.sin_port)) == port
    }
  }

  /// The names of all threads.
  static var threadNames: [String] {
    entries(of: "/proc/self/task").compactMap { read("/proc/self/task/\($0)/comm") }
      .map { $0.filter { !$0.isNewline } }
  }

  static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return count >= 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  static func entries(of path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
