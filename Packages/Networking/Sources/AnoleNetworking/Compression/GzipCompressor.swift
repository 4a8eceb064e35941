// SPDX-License-Identifier: Apache-2.0

import CAnoleZlib

/// Compresses piece by piece, in constant memory (about 320 KiB).
///
/// The output depends on the pieces' bytes and the level alone, not on how they were cut. One task
/// at a time.
public struct GzipCompressor: ~Copyable {
  private let stream: OpaquePointer
  private var scratch: [UInt8]
  private var isFinished = false

  /// The size of one step's output: large enough that a step's overhead does not count.
  static let stepSize = 64 << 10

  /// The version of the loaded zlib.
  static var libraryVersion: String { String(cString: anole_zlib_version()) }

  /// Makes a compressor.
  ///
  /// - Throws: ``GzipError/Code/outOfMemory``.
  public init(
    level: CompressionLevel = .balanced, format: CompressionFormat = .gzip
  ) throws(GzipError) {
    guard let stream = anole_zlib_make_deflate(Int32(level.value), format.windowBits) else {
      throw GzipError(.outOfMemory, "no memory for compressing")
    }
    self.stream = stream
    scratch = [UInt8](repeating: 0, count: Self.stepSize)
  }

  deinit { anole_zlib_free(stream) }

  /// Compresses the next piece; appends what is ready, which may be nothing.
  ///
  /// - Precondition: ``finish(into:)`` has not been called.
  public mutating func append(_ piece: [UInt8], into output: inout [UInt8]) {
    precondition(!isFinished, "a finished compressor takes no more input")
    run(piece, isLast: false, into: &output)
  }

  /// Compresses what is left and appends the end.
  ///
  /// Further calls append nothing.
  public mutating func finish(into output: inout [UInt8]) {
    guard !isFinished else { return }
    isFinished = true
    run([], isLast: true, into: &output)
  }

  /// Compresses the only piece.
  mutating func finish(with piece: [UInt8], into output: inout [UInt8]) {
    isFinished = true
    run(piece, isLast: true, into: &output)
  }

  private mutating func run(_ piece: [UInt8], isLast: Bool, into output: inout [UInt8]) {
    let stream = stream
    scratch.withUnsafeMutableBufferPointer { scratch in
      piece.withUnsafeBufferPointer { input in
        var offset = 0
        while true {
          var consumed = 0
          var produced = 0
          let result = anole_zlib_deflate(
            stream, input.baseAddress.map { $0 + offset }, input.count - offset, &consumed,
            scratch.baseAddress, scratch.count, &produced, isLast ? 1 : 0)
          offset += consumed
          output.append(contentsOf: UnsafeBufferPointer(rebasing: scratch[..<produced]))
          let isDone = isLast ? result != ANOLE_ZLIB_CONTINUE : produced < scratch.count
          if isDone && (offset == input.count || produced == 0) { return }
        }
      }
    }
  }
}

@available(*, unavailable)
extension GzipCompressor: Sendable {}
