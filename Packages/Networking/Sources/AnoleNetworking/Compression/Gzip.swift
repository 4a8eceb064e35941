// SPDX-License-Identifier: Apache-2.0

/// Compresses and decompresses whole byte arrays.
///
/// For data that arrives or leaves in pieces there are ``GzipCompressor`` and
/// ``GzipDecompressor``. Any thread may call at any time.
public enum Gzip: Sendable {
  /// Compresses bytes.
  ///
  /// Equal bytes and levels give equal results: the header carries no time, no name and always the
  /// same system.
  ///
  /// - Throws: ``GzipError/Code/outOfMemory``.
  public static func compress(
    _ bytes: [UInt8], level: CompressionLevel = .balanced, format: CompressionFormat = .gzip
  ) throws(GzipError) -> [UInt8] {
    var compressor = try GzipCompressor(level: level, format: format)
    var output: [UInt8] = []
    compressor.finish(with: bytes, into: &output)
    return output
  }

  /// Decompresses bytes.
  ///
  /// - Parameters:
  ///   - bytes: The whole input.
  ///   - format: The frame; nil to detect it from the first two bytes.
  ///   - limits: How much may come out; more is an error, found before the memory is spent.
  /// - Throws: ``GzipError``.
  public static func decompress(
    _ bytes: [UInt8], format: CompressionFormat? = .gzip, limits: DecompressionLimits = .standard
  ) throws(GzipError) -> [UInt8] {
    var decompressor = try GzipDecompressor(format: format, limits: limits)
    var output: [UInt8] = []
    try decompressor.append(bytes, into: &output)
    try decompressor.finish()
    return output
  }
}
