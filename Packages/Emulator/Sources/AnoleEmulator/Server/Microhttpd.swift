// SPDX-License-Identifier: Apache-2.0

import CAnoleMicrohttpd
import CAnoleMicrohttpdSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// One connection of a daemon, valid until its end is told.
struct Connection: Hashable {
  fileprivate let pointer: OpaquePointer

  /// The socket.
  var descriptor: Int32 { anole_mhd_connection_descriptor(pointer) }

  /// Goes on with a connection that was suspended.
  func resume() { MHD_resume_connection(pointer) }

  /// Lets the library look again at a connection whose peer has closed its side.
  ///
  /// The library takes a short read for a sign that nothing more has arrived. Where the end of input came
  /// together with the last bytes, in the middle of a request, it would never learn of it.
  func nudge() { shutdown(descriptor, Int32(SHUT_RD)) }

  /// Writes bytes past the library; how many were taken, 0 if none can be at present, nil if the
  /// connection is broken.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let count = anole_mhd_send(pointer, bytes.baseAddress, bytes.count)
    return count < 0 ? nil : count
  }

  /// Ends the connection, unannounced; bytes that were written still arrive.
  func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// Gives the bytes of one body.
protocol BodyReader: AnyObject {
  /// Writes the next bytes, at most as many as there is room for.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Microhttpd.Reading
}

/// Decides about the requests of a daemon; called on the thread that runs the daemon.
protocol MicrohttpdHandler: AnyObject {
  /// Whether a new connection is kept.
  func accepts() -> Bool
  /// The head of a request has arrived; false closes the connection.
  func arrived(_ head: RequestHead, on connection: Connection) -> Bool
  /// A piece of the body has arrived; false closes the connection.
  func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) -> Bool
  /// The request is complete, or goes on after having been suspended.
  func verdict(on connection: Connection) -> Microhttpd.Verdict
  /// The request has come to its end, one way or another.
  func ended(on connection: Connection)
}

/// A libmicrohttpd daemon without threads of its own.
///
/// Everything is called from one thread, which waits for ``descriptor`` and then calls ``run()``.
/// It is the only place that knows the library.
final class Microhttpd {
  enum Verdict {
    case answer(status: Int, fields: [HeaderField], length: Int?, body: any BodyReader)
    /// To be asked again after the connection is resumed.
    case suspend
    case close
  }

  enum Reading {
    case bytes(Int)
    /// To be asked again after the connection is resumed.
    case suspend
    case end
    /// Closes the connection.
    case abort
  }

  /// How many connections are kept at once; more wait to be accepted.
  private static let connectionLimit: UInt32 = 4096
  /// The memory of one connection: bounds the head of a request and that of an answer.
  private static let connectionMemory = 128 << 10
  /// After how many seconds without traffic a connection is closed that is neither a stream nor waits.
  ///
  /// What matters is that each connection has a limit of its own: the library looks only at those in every
  /// round. Of the others it may forget to free those that were aborted, as long as an older one is idle.
  private static let idleLimit: UInt32 = 3600
  /// How many bytes of a body are read at once.
  private static let blockSize = 32 << 10

  fileprivate unowned let handler: any MicrohttpdHandler
  /// The connections that are open.
  private(set) var connections: Set<Connection> = []
  fileprivate var targets: [Connection: String] = [:]
  fileprivate var begun: Set<Connection> = []
  private var daemon: OpaquePointer?
  /// The texts of the certificate and its key, which the library does not copy.
  private var secrets: [UnsafeMutablePointer<CChar>] = []

  /// The version of the loaded library.
  static var libraryVersion: String { String(cString: MHD_get_version()) }

  /// Whether the library was built with TLS.
  static var hasTLS: Bool { anole_mhd_has_tls() }

  /// Starts a daemon on a listening socket, which it closes in the end; nil if the library refuses.
  init?(
    listening socket: ListeningSocket, identity: ServerIdentity?, handler: any MicrohttpdHandler
  ) {
    self.handler = handler
    var settings = anole_mhd_settings()
    if let identity {
      for text in [identity.certificate, identity.privateKey] {
        guard let copy = strdup(text) else { return nil }
        secrets.append(copy)
      }
      settings.certificate = UnsafePointer(secrets[0])
      settings.private_key = UnsafePointer(secrets[1])
    }
    settings.listening_socket = socket.descriptor
    settings.connection_limit = Self.connectionLimit
    settings.connection_memory = Self.connectionMemory
    settings.context = Unmanaged.passUnretained(self).toOpaque()
    settings.accept = { context, _, _ in
      Microhttpd.from(context).handler.accepts() ? anole_mhd_yes : anole_mhd_no
    }
    settings.handle = {
      context, connection, _, method, version, upload, uploadSize, _ in
      guard let connection, let method, let version, let uploadSize else { return anole_mhd_no }
      return Microhttpd.from(context).handle(
        Connection(pointer: connection), method: method, version: version, upload: upload,
        uploadSize: uploadSize)
    }
    settings.notify_connection = { context, connection, _, moment in
      guard let connection else { return }
      Microhttpd.from(context).noted(
        Connection(pointer: connection), isOpen: moment != anole_mhd_connection_closed)
    }
    settings.completed = { context, connection, _, _ in
      guard let connection else { return }
      Microhttpd.from(context).completed(Connection(pointer: connection))
    }
    settings.target = { context, target, connection in
      guard let connection, let target else { return nil }
      Microhttpd.from(context).targets[Connection(pointer: connection)] = String(cString: target)
      return nil
    }
    guard let daemon = anole_mhd_start(&settings) else { return nil }
    self.daemon = daemon
  }

  /// Readable when ``run()`` has something to do.
  var descriptor: Int32 { daemon.map { anole_mhd_daemon_descriptor($0) } ?? -1 }

  /// How long at most to wait before ``run()``, in milliseconds; -1 for ever.
  var timeout: Int32 {
    var milliseconds: UInt64 = 0
    guard let daemon, MHD_get_timeout(daemon, &milliseconds) == anole_mhd_yes else { return -1 }
    return Int32(clamping: milliseconds)
  }

  /// Does what is to be done, without waiting.
  func run() {
    if let daemon { MHD_run(daemon) }
  }

  /// Closes the listening socket and all connections; none may be suspended.
  func stop() {
    guard let daemon else { return }
    self.daemon = nil
    MHD_stop_daemon(daemon)
  }

  deinit {
    stop()
    for secret in secrets { free(secret) }
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> Microhttpd {
    guard let context else { preconditionFailure("libmicrohttpd gave back no context") }
    return Unmanaged<Microhttpd>.fromOpaque(context).takeUnretainedValue()
  }

  // MARK: Requests

  private func noted(_ connection: Connection, isOpen: Bool) {
    if isOpen {
      connections.insert(connection)
    } else {
      connections.remove(connection)
      targets[connection] = nil
    }
  }

  private func handle(
    _ connection: Connection, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>,
    upload: UnsafePointer<CChar>?, uploadSize: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    if begun.insert(connection).inserted {
      anole_mhd_set_idle_limit(connection.pointer, Self.idleLimit)
      let head = RequestHead(
        method: String(cString: method), target: targets.removeValue(forKey: connection) ?? "",
        version: String(cString: version), fields: Self.fields(of: connection))
      return handler.arrived(head, on: connection) ? anole_mhd_yes : anole_mhd_no
    }
    if uploadSize.pointee > 0 {
      let bytes = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
      uploadSize.pointee = 0
      return handler.received(bytes, on: connection) ? anole_mhd_yes : anole_mhd_no
    }
    switch handler.verdict(on: connection) {
    case .close: return anole_mhd_no
    case .suspend:
      MHD_suspend_connection(connection.pointer)
      return anole_mhd_yes
    case .answer(let status, let fields, let length, let body):
      return answer(connection, status, fields, length, body)
    }
  }

  private func completed(_ connection: Connection) {
    guard begun.remove(connection) != nil else { return }
    handler.ended(on: connection)
  }

  private static func fields(of connection: Connection) -> [HeaderField] {
    var fields: [HeaderField] = []
    withUnsafeMutablePointer(to: &fields) { fields in
      _ = MHD_get_connection_values_n(
        connection.pointer, anole_mhd_header_kind,
        { context, _, name, nameSize, value, valueSize in
          guard let context, let name else { return anole_mhd_no }
          context.assumingMemoryBound(to: [HeaderField].self).pointee.append(
            HeaderField(
              name: String(
                decoding: UnsafeRawBufferPointer(start: name, count: nameSize), as: UTF8.self),
              valueBytes: Array(UnsafeRawBufferPointer(start: value, count: valueSize))))
          return anole_mhd_yes
        }, fields)
    }
    return fields
  }

  // MARK: Answers

  private final class ReaderBox {
    let reader: any BodyReader
    let connection: Connection

    init(_ reader: any BodyReader, _ connection: Connection) {
      self.reader = reader
      self.connection = connection
    }
  }

  private func answer(
    _ connection: Connection, _ status: Int, _ fields: [HeaderField], _ length: Int?,
    _ body: any BodyReader
  ) -> MHD_Result {
    // Of a 304 the fields tell the length that the file has: the library sends no body, but writes down
    // the length of the one it was promised.
    let told = status == 304 ? fields.value(named: "Content-Length").flatMap(UInt64.init) : nil
    let response: OpaquePointer?
    if length == 0, told ?? 0 == 0 {
      response = anole_mhd_empty_response()
    } else {
      let box = Unmanaged.passRetained(ReaderBox(body, connection))
      response = MHD_create_response_from_callback(
        told ?? length.map(UInt64.init) ?? UInt64.max, Self.blockSize, Self.read, box.toOpaque(),
        { context in
          if let context { Unmanaged<ReaderBox>.fromOpaque(context).release() }
        })
    }
    guard let response else { return anole_mhd_no }
    defer { MHD_destroy_response(response) }
    for field in fields {
      // The library writes the length itself.
      guard !field.isNamed("Content-Length") else { continue }
      guard MHD_add_response_header(response, field.name, field.value) == anole_mhd_yes else {
        return anole_mhd_no
      }
    }
    return MHD_queue_response(connection.pointer, UInt32(status), response)
  }

  private static let read:
    @convention(c) (
      UnsafeMutableRawPointer?, UInt64, UnsafeMutablePointer<CChar>?, Int
    ) -> Int = { context, _, buffer, size in
      let abort = -2
      let end = -1
      guard let context, let buffer else { return abort }
      let box = Unmanaged<ReaderBox>.fromOpaque(context).takeUnretainedValue()
      switch box.reader.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size)) {
      case .bytes(let count): return count
      case .end: return end
      case .abort: return abort
      case .suspend:
        MHD_suspend_connection(box.connection.pointer)
        return 0
      }
    }
}
