// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import AnoleConcurrency
  import Glibc

  /// The server's end of a connection to a ``LoopbackServer``.
  ///
  /// Test support. The script's thread reads and writes; any thread may abort.
  public final class LoopbackConnection: Sendable {
    private struct State {
      var isClosed = false
      var unread: [UInt8] = []
    }

    private let descriptor: Int32
    private let record: @Sendable (LoopbackRequest) -> Void
    private let state = Lock(State())

    init(_ descriptor: Int32, record: @escaping @Sendable (LoopbackRequest) -> Void) {
      self.descriptor = descriptor
      self.record = record
    }

    /// Reads a request to its end; nil when the client has closed.
    @discardableResult
    public func readRequest() -> LoopbackRequest? {
      var bytes = state.withLock { state in
        defer { state.unread = [] }
        return state.unread
      }
      var end = Self.headEnd(bytes)
      while end == nil {
        guard let more = read() else { return nil }
        bytes += more
        end = Self.headEnd(bytes)
      }
      guard let end else { return nil }
      var lines = String(decoding: bytes[..<(end - 4)], as: UTF8.self)
        .split(separator: "\r\n", omittingEmptySubsequences: false).map { String($0) }
      let line = lines.removeFirst()
      let length =
        LoopbackRequest(line: line, headers: lines, body: [], raw: [])
        .values(of: "Content-Length").first.flatMap { Int($0) } ?? 0
      while bytes.count < end + length {
        guard let more = read() else { return nil }
        bytes += more
      }
      let rest = Array(bytes[(end + length)...])
      state.withLock { $0.unread = rest }
      let request = LoopbackRequest(
        line: line, headers: lines, body: Array(bytes[end..<(end + length)]),
        raw: Array(bytes[..<(end + length)]))
      record(request)
      return request
    }

    /// Writes bytes; false when the client is gone.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
      var sent = 0
      while sent < bytes.count {
        let count = bytes.withUnsafeBytes {
          send(
            descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }

    /// Writes a text as UTF-8; false when the client is gone.
    @discardableResult
    public func write(_ text: String) -> Bool {
      write(Array(text.utf8))
    }

    /// Writes an answer with its length; false when the client is gone.
    ///
    /// - Parameters:
    ///   - status: Code and reason.
    ///   - headers: Whole header lines without their end; `Content-Length` is added.
    ///   - body: The bytes after the head.
    @discardableResult
    public func answer(_ status: String = "200 OK", headers: [String] = [], body: [UInt8] = [])
      -> Bool
    {
      let head = (["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.count)", "", ""])
        .joined(separator: "\r\n")
      return write(Array(head.utf8) + body)
    }

    /// Writes an answer with its length and a text as UTF-8; false when the client is gone.
    @discardableResult
    public func answer(_ status: String = "200 OK", headers: [String] = [], text: String) -> Bool {
      answer(status, headers: headers, body: Array(text.utf8))
    }

    /// Answers each request until the client closes.
    public func serve(_ answer: (LoopbackRequest) -> Void) {
      while let request = readRequest() { answer(request) }
    }

    /// Reads what there is; nil at the end.
    public func read() -> [UInt8]? {
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return nil }
      return Array(buffer[..<count])
    }

    /// Waits until the client has closed, whatever it still sends.
    public func waitForClose() {
      while read() != nil {}
    }

    /// Ends reading and writing in both directions.
    public func abort() {
      state.withLock { state in
        if !state.isClosed { Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) }
      }
    }

    /// Closes the connection; a script need not, it is done when it returns.
    public func close() {
      state.withLock { state in
        if !state.isClosed { Glibc.close(descriptor) }
        state.isClosed = true
      }
    }

    private static func headEnd(_ bytes: [UInt8]) -> Int? {
      guard bytes.count >= 4 else { return nil }
      for index in 0...(bytes.count - 4)
      where bytes[index] == 13 && bytes[index + 1] == 10 && bytes[index + 2] == 13
        && bytes[index + 3] == 10
      {
        return index + 4
      }
      return nil
    }
  }
#endif
