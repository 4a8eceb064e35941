// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A bound and listening socket which its owner passes on or closes.
struct ListeningSocket {
  /// How many connections may wait to be accepted; the system may allow fewer.
  private static let backlog: Int32 = 1024

  let descriptor: Int32
  let port: UInt16

  /// Binds and listens; port 0 takes a free one.
  init(_ address: NumericAddress, port: UInt16) throws(EmulatorError) {
    let family = address.isIPv6 ? AF_INET6 : AF_INET
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { throw Self.failure("make a socket", address, port) }
    do throws(EmulatorError) {
      self.port = try Self.listen(descriptor, address, port)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  private static func listen(
    _ descriptor: Int32, _ address: NumericAddress, _ port: UInt16
  ) throws(EmulatorError) -> UInt16 {
    var yes: Int32 = 1
    // Without this a port stays taken for a minute after a connection on it was closed by the server.
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, address, port) == 0 else {
      throw failure("listen", address, port)
    }
    guard Glibc.listen(descriptor, backlog) == 0 else { throw failure("listen", address, port) }
    return boundPort(descriptor)
  }

  private static func bind(
    _ descriptor: Int32, _ address: NumericAddress, _ port: UInt16
  ) -> Int32 {
    guard address.isIPv6 else {
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = port.bigEndian
      withUnsafeMutableBytes(of: &name.sin_addr) { $0.copyBytes(from: address.bytes) }
      return withSocketAddress(&name) { Glibc.bind(descriptor, $0, $1) }
    }
    var name = sockaddr_in6()
    name.sin6_family = sa_family_t(AF_INET6)
    name.sin6_port = port.bigEndian
    withUnsafeMutableBytes(of: &name.sin6_addr) { $0.copyBytes(from: address.bytes) }
    return withSocketAddress(&name) { Glibc.bind(descriptor, $0, $1) }
  }

  private static func boundPort(_ descriptor: Int32) -> UInt16 {
    var name = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    _ = withSocketAddress(&name) { pointer, _ in getsockname(descriptor, pointer, &length) }
    // The port lies at the same place in the addresses of both families.
    return UInt16(bigEndian: name.sin6_port)
  }

  private static func withSocketAddress<Name>(
    _ name: inout Name, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafeMutableBytes(of: &name) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { names in
        guard let first = names.baseAddress else { return -1 }
        return body(first, socklen_t(bytes.count))
      }
    }
  }

  private static func failure(
    _ action: String, _ address: NumericAddress, _ port: UInt16
  ) -> EmulatorError {
    let cause = errno
    let place = "\(address):\(port)"
    if cause == EADDRINUSE {
      return EmulatorError(
        code: .addressInUse,
        message: "another process or emulator listens at \(place): stop it or take port 0")
    }
    let reason = String(cString: strerror(cause))
    return EmulatorError(code: .system, message: "cannot \(action) at \(place): \(reason)")
  }
}
