// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import Dispatch
import Glibc

/// A server on the loopback interface that does with each connection what a test's script says.
///
/// Every connection has a thread, on which the script runs; it reads requests and writes raw bytes. The
/// server records the exact bytes of all requests. Threads end when ``stop()`` closes the sockets.
final class LoopbackServer: Sendable {
  typealias Script = @Sendable (LoopbackConnection) -> Void

  enum Family: Sendable { case v4, v6 }

  private struct State {
    var isStopped = false
    var connections: [LoopbackConnection] = []
    var requests: [RecordedRequest] = []
  }

  let port: Int
  private let family: Family
  private let listener: Int32
  private let script: Script
  private let state = Lock(State())
  private let accepting = DispatchGroup()

  /// - Parameters:
  ///   - backlog: The listen backlog.
  ///   - accepts: False to leave connections in the backlog.
  init?(
    family: Family = .v4, backlog: Int32 = 128, accepts: Bool = true, _ script: @escaping Script
  ) {
    guard let (descriptor, port) = Self.listen(family, backlog) else { return nil }
    listener = descriptor
    self.port = port
    self.family = family
    self.script = script
    if accepts {
      accepting.enter()
      Thread.start { [self] in
        acceptAll()
        accepting.leave()
      }
    }
  }

  var origin: String { family == .v4 ? "http://127.0.0.1:\(port)" : "http://[::1]:\(port)" }

  func url(_ path: String = "/") -> String { origin + path }

  /// The requests so far, in the order in which they were read.
  var requests: [RecordedRequest] { state.withLock { $0.requests } }

  /// How many connections were accepted.
  var connectionCount: Int { state.withLock { $0.connections.count } }

  /// Ends all connections and the server.
  func stop() {
    let connections = state.withLock { state -> [LoopbackConnection] in
      state.isStopped = true
      return state.connections
    }
    Glibc.shutdown(listener, Int32(SHUT_RDWR))
    for connection in connections { connection.abort() }
    accepting.wait()
  }

  deinit {
    Glibc.close(listener)
  }

  private func acceptAll() {
    while true {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else {
        if errno == EINTR || errno == ECONNABORTED { continue }
        return
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      let connection = LoopbackConnection(descriptor) { [weak self] request in
        self?.state.withLock { $0.requests.append(request) }
      }
      let mayServe = state.withLock { state -> Bool in
        guard !state.isStopped else { return false }
        state.connections.append(connection)
        return true
      }
      guard mayServe else {
        connection.close()
        continue
      }
      Thread.start { [script] in
        script(connection)
        connection.close()
      }
    }
  }

  private static func listen(_ family: Family, _ backlog: Int32) -> (Int32, Int)? {
    let domain = family == .v4 ? AF_INET : AF_INET6
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(domain, type, 0)
    guard descriptor >= 0 else { return nil }
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutableBytes(of: &storage) { bytes in
      if family == .v4 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        bytes.storeBytes(of: address, as: sockaddr_in.self)
        length = socklen_t(MemoryLayout<sockaddr_in>.size)
      } else {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        bytes.storeBytes(of: address, as: sockaddr_in6.self)
        length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      }
    }
    let isBound = withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0
          && getsockname(descriptor, .init(mutating: $0), &length) == 0
      }
    }
    guard isBound, Glibc.listen(descriptor, backlog) == 0 else {
      Glibc.close(descriptor)
      return nil
    }
    // The port lies at the same place in both forms of address.
    let port = withUnsafeBytes(of: &storage) {
      $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)
    }
    return (descriptor, Int(UInt16(bigEndian: port)))
  }
}

/// Starts threads: scripts block, and must not take those of the task pool.
enum Thread {
  static func start(_ body: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body)).toOpaque()
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, box)
    precondition(status == 0, "no thread for a test")
    pthread_detach(thread)
  }
}
