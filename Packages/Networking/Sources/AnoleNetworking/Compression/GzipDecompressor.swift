// SPDX-License-Identifier: Apache-2.0

import CAnoleZlib

/// Decompresses piece by piece, in constant memory (about 110 KiB), within limits.
///
/// Output appears before the checksum at the end has been seen: use nothing of it before
/// ``finish()`` has returned. One task at a time.
public struct GzipDecompressor: ~Copyable {
  private enum Phase {
    /// The format is to be detected; holds the first byte if it has arrived. Next: `inside`.
    case undetected(first: UInt8?)
    /// Before the first byte of a stream. Next: `inside`.
    case before
    /// In the middle of a stream. Next: `between`, `failed`.
    case inside
    /// After the end of a stream; gzip may begin another. Next: `inside`, `failed`.
    case between
    /// An error was thrown; it is thrown again.
    case failed(GzipError)
  }

  private var phase: Phase
  private var format: CompressionFormat
  private var stream: OpaquePointer
  private var scratch: [UInt8]
  private var produced = 0
  private var consumed = 0
  /// True if the last step ended because its output was full, so that more may come without input.
  private(set) var holdsOutput = false
  private let limits: DecompressionLimits

  /// Makes a decompressor.
  ///
  /// - Parameters:
  ///   - format: The frame; nil to detect it from the first two bytes.
  ///   - limits: How much may come out.
  /// - Throws: ``GzipError/Code/outOfMemory``.
  public init(
    format: CompressionFormat? = .gzip, limits: DecompressionLimits = .standard
  ) throws(GzipError) {
    stream = try Self.makeStream(format ?? .gzip)
    self.format = format ?? .gzip
    self.limits = limits
    phase = format == nil ? .undetected(first: nil) : .before
    scratch = [UInt8](repeating: 0, count: GzipCompressor.stepSize)
  }

  deinit { anole_zlib_free(stream) }

  /// Decompresses the next piece and appends what comes out of it.
  ///
  /// - Throws: ``GzipError``; the same again at every further call. `output` then holds what came
  ///   before the error, never more than the limit.
  public mutating func append(_ piece: [UInt8], into output: inout [UInt8]) throws(GzipError) {
    var offset = 0
    repeat {
      offset = try advance(piece, from: offset, into: &output)
    } while offset < piece.count || holdsOutput
  }

  /// Takes one step into a piece and appends what comes out of it: at most 64 KiB.
  ///
  /// - Parameter offset: How much of the piece has been used by earlier steps.
  /// - Returns: How much has been used now. The piece is done with when that is all of it and
  ///   ``holdsOutput`` is false.
  mutating func advance(
    _ piece: [UInt8], from offset: Int, into output: inout [UInt8]
  ) throws(GzipError) -> Int {
    do throws(GzipError) {
      switch phase {
      case .failed(let error): throw error
      case .undetected(let held): return try detect(held, piece, from: offset, into: &output)
      case .before, .inside, .between: return try run(piece, from: offset, into: &output)
      }
    } catch {
      holdsOutput = false
      phase = .failed(error)
      throw error
    }
  }

  /// Says that the input has ended.
  ///
  /// - Throws: ``GzipError/Code/truncated`` if it has ended too early, or the error thrown before.
  public mutating func finish() throws(GzipError) {
    switch phase {
    case .between: return
    case .failed(let error): throw error
    case .undetected(_?):
      throw GzipError(.truncated, "the input ends after 1 byte, before its time")
    case .undetected, .before, .inside:
      throw GzipError(.truncated, "the input ends after \(consumed) bytes, before its time")
    }
  }

  private static func makeStream(_ format: CompressionFormat) throws(GzipError) -> OpaquePointer {
    guard let stream = anole_zlib_make_inflate(format.windowBits) else {
      throw GzipError(.outOfMemory, "no memory for decompressing")
    }
    return stream
  }

  private mutating func detect(
    _ held: UInt8?, _ piece: [UInt8], from offset: Int, into output: inout [UInt8]
  ) throws(GzipError) -> Int {
    let unused = piece[offset...]
    guard let first = held ?? unused.first,
      let second = held == nil ? unused.dropFirst().first : unused.first
    else {
      phase = .undetected(first: held ?? unused.first)
      return piece.count
    }
    try select(CompressionFormat.detected(from: first, second))
    if let held { _ = try run([held], from: 0, into: &output) }
    return offset
  }

  private mutating func select(_ detected: CompressionFormat) throws(GzipError) {
    phase = .before
    guard detected != format else { return }
    let selected = try Self.makeStream(detected)
    anole_zlib_free(stream)
    stream = selected
    format = detected
  }

  private mutating func run(
    _ piece: [UInt8], from offset: Int, into output: inout [UInt8]
  ) throws(GzipError) -> Int {
    guard offset < piece.count || holdsOutput else { return offset }
    if case .between = phase { try beginMember(at: consumed) }
    phase = .inside
    var used = 0
    var made = 0
    let result = step(piece, from: offset, used: &used, made: &made)
    consumed += used
    try take(made, into: &output)
    holdsOutput = made == scratch.count
    switch result {
    // Without progress zlib wants nothing that is left of the piece.
    case ANOLE_ZLIB_CONTINUE: return used == 0 && made == 0 ? piece.count : offset + used
    case ANOLE_ZLIB_END:
      phase = .between
      holdsOutput = false
      return offset + used
    case ANOLE_ZLIB_MEMORY: throw GzipError(.outOfMemory, "no memory for decompressing")
    default: throw GzipError(.corrupt, "the input is damaged near byte \(consumed)")
    }
  }

  private mutating func step(
    _ piece: [UInt8], from offset: Int, used: inout Int, made: inout Int
  ) -> anole_zlib_result {
    let stream = stream
    return scratch.withUnsafeMutableBufferPointer { scratch in
      piece.withUnsafeBufferPointer { input in
        anole_zlib_inflate(
          stream, input.baseAddress.map { $0 + offset }, input.count - offset, &used,
          scratch.baseAddress, scratch.count, &made)
      }
    }
  }

  private mutating func take(_ count: Int, into output: inout [UInt8]) throws(GzipError) {
    guard count > 0 else { return }
    produced += count
    if let violation = limits.violation(produced: produced, consumed: consumed) { throw violation }
    output.append(contentsOf: scratch[..<count])
  }

  private func beginMember(at position: Int) throws(GzipError) {
    guard format == .gzip else {
      throw GzipError(.corrupt, "bytes follow the end of the input at byte \(position)")
    }
    anole_zlib_reset_inflate(stream)
  }
}

@available(*, unavailable)
extension GzipDecompressor: Sendable {}
