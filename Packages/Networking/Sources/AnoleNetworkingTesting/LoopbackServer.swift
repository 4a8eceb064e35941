// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import AnoleConcurrency
  import Dispatch
  import Glibc

  /// A server on the loopback interface that does with each connection what a test's script says.
  ///
  /// Test support. Every connection has a thread, on which the script runs; it reads requests and writes raw
  /// bytes. The server records the exact bytes of all requests. Threads end when ``stop()`` closes the sockets,
  /// so every server has to be stopped. Any thread may call anything.
  public final class LoopbackServer: Sendable {
    /// What happens on a connection; it is closed when the script returns.
    public typealias Script = @Sendable (LoopbackConnection) -> Void

    /// The address family of the loopback interface.
    public enum Family: Sendable {
      /// `127.0.0.1`.
      case v4
      /// `::1`.
      case v6
    }

    private struct State {
      var isStopped = false
      var connections: [LoopbackConnection] = []
      var requests: [LoopbackRequest] = []
    }

    /// The port, a free one when the server was made.
    public let port: Int
    private let family: Family
    private let listener: Int32
    private let records: Bool
    private let script: Script
    private let state = Lock(State())
    private let accepting = DispatchGroup()

    /// Starts a server; nil where the system gives no socket.
    ///
    /// - Parameters:
    ///   - family: The address family.
    ///   - backlog: The listen backlog.
    ///   - accepts: False to leave connections in the backlog.
    ///   - records: False to remember nothing of what has ended.
    ///   - script: What happens on each connection.
    public init?(
      family: Family = .v4, backlog: Int32 = 128, accepts: Bool = true, records: Bool = true,
      _ script: @escaping Script
    ) {
      guard let (descriptor, port) = Self.listen(family, backlog) else { return nil }
      listener = descriptor
      self.port = port
      self.family = family
      self.script = script
      self.records = records
      if accepts {
        accepting.enter()
        BlockingThread.start { [self] in
          acceptAll()
          accepting.leave()
        }
      }
    }

    /// Scheme, host and port, such as `http://127.0.0.1:8080`.
    public var origin: String {
      family == .v4 ? "http://127.0.0.1:\(port)" : "http://[::1]:\(port)"
    }

    /// The address of a path.
    public func url(_ path: String = "/") -> String { origin + path }

    /// The requests so far, in the order in which they were read.
    public var requests: [LoopbackRequest] { state.withLock { $0.requests } }

    /// How many connections were accepted; without records, how many are open.
    public var connectionCount: Int { state.withLock { $0.connections.count } }

    /// Ends all connections and the server.
    public func stop() {
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
        let connection = LoopbackConnection(descriptor) { [weak self, records] request in
          guard records else { return }
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
        BlockingThread.start { [self] in
          script(connection)
          connection.close()
          guard !records else { return }
          state.withLock { state in state.connections.removeAll { $0 === connection } }
        }
      }
    }

    /// A listening socket at a free port.
    package static func listen(_ family: Family, _ backlog: Int32) -> (Int32, Int)? {
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
#endif
