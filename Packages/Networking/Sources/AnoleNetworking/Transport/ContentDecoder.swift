// SPDX-License-Identifier: Apache-2.0

/// Decodes the body of an answer by its `Content-Encoding`, and counts what comes out.
///
/// A value without input or output of its own. The owner hands in pieces with ``receive(_:)``, takes what
/// comes out of them with ``next()`` until that gives nil, and says with ``finish()`` that the body has ended.
/// An answer whose body is sent as it is needs no decoder.
///
/// | `Content-Encoding` | what the body is |
/// | --- | --- |
/// | none, `identity` | sent as it is |
/// | `gzip`, `x-gzip` | one or more members of RFC 1952 |
/// | `deflate` | RFC 1950, or RFC 1951 as some servers send it |
/// | anything else, more than one compression | refused when the first byte arrives |
///
/// No byte at all is an empty body whatever the field says: answers without a body, of status 304 above
/// all, may carry the field of the body that they do not send.
struct ContentDecoder: ~Copyable {
  private enum Coding {
    case known(CompressionFormat?)
    case refused(reason: String)
  }

  /// How much of a server's text is shown in an error.
  private static let shownLength = 40

  private let name: String
  private let coding: Coding
  private let limit: Int
  private var decompressor: GzipDecompressor?
  private var piece: [UInt8] = []
  private var offset = 0
  private var size = 0

  /// A decoder for an answer's body; nil if the body is sent as it is.
  ///
  /// - Parameters:
  ///   - headers: The answer's headers.
  ///   - limit: The most decoded bytes.
  init?(_ headers: HTTPHeaders, limit: Int) {
    let names = headers.values(of: "Content-Encoding")
      .flatMap { $0.split(separator: ",") }
      .map { ASCIIText.lowercased(FieldSyntax.trimmed($0.utf8)) }
      .filter { !$0.isEmpty && $0 != "identity" }
    guard let name = names.first else { return nil }
    self.name = name
    self.limit = limit
    switch name {
    case _ where names.count > 1:
      coding = .refused(reason: "the body is compressed more than once")
    case "gzip", "x-gzip": coding = .known(.gzip)
    case "deflate": coding = .known(nil)
    default:
      coding = .refused(
        reason: "the body has an encoding that was not asked for: \(name.prefix(Self.shownLength))")
    }
  }

  /// Takes the next piece; what came before must have been taken by ``next()``.
  mutating func receive(_ piece: [UInt8]) {
    precondition(offset == self.piece.count, "a piece is taken whole before the next one comes")
    self.piece = piece
    offset = 0
  }

  /// The next decoded bytes, at most 64 KiB; nil if more input is needed.
  ///
  /// - Throws: ``HTTPError/Code/malformedAnswer`` or ``HTTPError/Code/bodyTooLarge``.
  mutating func next() throws(HTTPError) -> [UInt8]? {
    var output: [UInt8] = []
    while offset < piece.count || decompressor?.holdsOutput == true {
      try advance(into: &output)
      if !output.isEmpty { return output }
    }
    piece = []
    offset = 0
    return nil
  }

  /// Decodes a whole piece and appends what comes out of it.
  ///
  /// - Throws: As ``next()``; `output` then holds no more than the limit.
  mutating func decode(_ piece: [UInt8], into output: inout [UInt8]) throws(HTTPError) {
    receive(piece)
    while offset < self.piece.count || decompressor?.holdsOutput == true {
      try advance(into: &output)
    }
  }

  /// Says that the body has ended.
  ///
  /// - Throws: ``HTTPError/Code/malformedAnswer`` if it has ended too early.
  mutating func finish() throws(HTTPError) {
    do throws(GzipError) { try decompressor?.finish() } catch { throw failure(error) }
  }

  private mutating func advance(into output: inout [UInt8]) throws(HTTPError) {
    if decompressor == nil { try begin() }
    let before = output.count
    do throws(GzipError) {
      offset = try decompressor?.advance(piece, from: offset, into: &output) ?? piece.count
    } catch {
      throw failure(error)
    }
    size += output.count - before
    guard size <= limit else {
      output.removeLast(min(size - limit, output.count - before))
      throw HTTPError.bodyTooLarge(limit: limit)
    }
  }

  private mutating func begin() throws(HTTPError) {
    guard case .known(let format) = coding else {
      guard case .refused(let reason) = coding else { return }
      throw HTTPError(code: .malformedAnswer, message: reason)
    }
    // The size is limited here, and a ratio says nothing about a stream of equal comments.
    let limits = DecompressionLimits(maximumSize: .max, maximumRatio: .max)
    do throws(GzipError) {
      decompressor = try GzipDecompressor(format: format, limits: limits)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: GzipError) -> HTTPError {
    if error.code == .outOfMemory { return HTTPError(code: .other, message: error.message) }
    return HTTPError(
      code: .malformedAnswer, message: "the \(name) body does not decode: \(error.message)")
  }
}

extension HTTPError {
  /// The error of a body beyond a limit in bytes.
  static func bodyTooLarge(limit: Int) -> HTTPError {
    HTTPError(code: .bodyTooLarge, message: "the body is larger than \(limit) bytes")
  }

  /// The same error with the place that it is about.
  func at(_ origin: String) -> HTTPError {
    HTTPError(code: code, message: "\(origin): \(message)")
  }
}
