// SPDX-License-Identifier: Apache-2.0

public import AnoleConcurrency
import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The experimentation platform on loopback: an HTTP server that answers as the real one does, or as badly
/// as a test wants it to.
///
/// All functions may be called from any thread, before, while and after the server runs; what is set stays
/// set until ``reset()``, also over ``stop()`` and another start.
public final class Emulator: Sendable {
  /// How many bytes of a request's body are taken unless said otherwise; the platform takes 3 MB.
  public static let defaultMaximumBodyBytes = 16 << 20

  let core: Core

  /// Makes an emulator that does not run yet and has no data file.
  ///
  /// - Parameters:
  ///   - time: The clock behind delays, slow bodies and the lifetime of tokens.
  ///   - wallClock: The time of day, for decisions.
  ///   - seed: Decides what is left to chance: faults with a chance, and latencies.
  ///   - maximumBodyBytes: The largest body of a request, as sent and decoded; a larger one is
  ///     answered with 413.
  public init(
    time: TimeSource = .continuous, wallClock: WallClock = .system,
    seed: UInt64 = .random(in: .min ... .max),
    maximumBodyBytes: Int = Emulator.defaultMaximumBodyBytes
  ) {
    core = Core(time: time, wallClock: wallClock, seed: seed, maximumBodyBytes: maximumBodyBytes)
  }

  deinit { core.run?.inbox.post([.stop]) }

  /// Starts the server on its own thread, reachable from this computer only.
  ///
  /// When this returns, the port accepts connections.
  /// - Parameters:
  ///   - port: The port; 0 takes a free one.
  ///   - address: The loopback address.
  ///   - identity: The certificate to show; nil for plain HTTP.
  /// - Throws: ``EmulatorError`` if the port is in use, the emulator runs already, or the certificate
  ///   cannot be used.
  public func start(
    port: UInt16 = 0, address: LoopbackAddress = .ipv4, identity: ServerIdentity? = nil
  ) throws(EmulatorError) {
    try start(port, NumericAddress(address), token: nil, identity)
  }

  /// Starts the server at an address that other computers reach.
  ///
  /// The platform's routes are open to everybody who reaches it. The control endpoint and the page ask
  /// for a token with every request: as bearer token, or in a cookie, which a browser gets by opening
  /// `/?token=…`. Without TLS the token can be read on the way: give an identity outside of a network
  /// that you trust.
  /// - Parameters:
  ///   - address: The address in numbers: that of an interface, or `0.0.0.0` or `::` for all.
  ///   - token: 16 to 512 letters, digits and `-._~`.
  ///   - port: The port; 0 takes a free one.
  ///   - identity: The certificate to show; nil for plain HTTP.
  /// - Throws: ``EmulatorError`` as ``start(port:address:identity:)``, and if the address is none or the
  ///   token cannot be used.
  public func start(
    exposedAt address: String, token: String, port: UInt16 = 0, identity: ServerIdentity? = nil
  ) throws(EmulatorError) {
    guard let numeric = NumericAddress(address) else {
      throw EmulatorError(
        code: .invalidArgument,
        message: "\(address.debugDescription) is no address in numbers, such as 0.0.0.0 or ::")
    }
    guard ControlAccess.isToken(token) else {
      throw EmulatorError(
        code: .invalidArgument,
        message:
          "the token must have at least \(ControlAccess.shortestToken) characters, all letters, "
          + "digits or -._~")
    }
    try start(port, numeric, token: token, identity)
  }

  private func start(
    _ port: UInt16, _ address: NumericAddress, token: String?, _ identity: ServerIdentity?
  ) throws(EmulatorError) {
    let running = EmulatorError(
      code: .alreadyRunning, message: "the emulator runs already: stop it before starting it again")
    guard core.run == nil else { throw running }
    guard identity == nil || Microhttpd.hasTLS else {
      throw EmulatorError(code: .system, message: "this libmicrohttpd was built without TLS")
    }
    let socket = try ListeningSocket(address, port: port)
    guard let inbox = Inbox() else {
      close(socket.descriptor)
      throw EmulatorError(code: .system, message: "cannot make a pipe: no descriptors are left")
    }
    let server = try Server(socket, identity: identity, core: core, inbox: inbox)
    let access = ControlAccess(token: token, port: socket.port, isSecure: identity != nil)
    let run = Core.Run(
      address: address, port: socket.port, access: access, inbox: inbox,
      finished: DispatchGroup())
    run.finished.enter()
    guard core.started(run) else {
      run.finished.leave()
      throw running
    }
    guard ServerThread(server, core: core, finished: run.finished).start() else {
      core.stopped()
      run.finished.leave()
      throw EmulatorError(code: .system, message: "cannot make a thread for the server")
    }
  }

  /// Stops the server: closes its port and all connections, open streams and waiting requests included.
  ///
  /// Returns when the port is free and the thread has ended. Does nothing if the server does not run.
  public func stop() {
    guard let run = core.run else { return }
    run.inbox.post([.stop])
    run.finished.wait()
  }

  /// Whether the server runs.
  public var isRunning: Bool { core.run != nil }

  /// The port of the running server, or nil.
  public var port: UInt16? { core.run?.port }

  /// The address of the running server without a slash at the end, for example
  /// `http://127.0.0.1:49152`, or nil; of one that listens at all addresses the loopback address.
  public var baseURL: String? {
    core.run.map { "\($0.access.isSecure ? "https" : "http")://\($0.address.host):\($0.port)" }
  }
}
