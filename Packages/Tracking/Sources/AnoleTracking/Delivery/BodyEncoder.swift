// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking

/// A tracking body, ready to be sent.
struct TrackingBody: Sendable, Equatable {
  /// The bytes as sent.
  let bytes: [UInt8]
  /// Whether they are compressed.
  let isCompressed: Bool
  /// How many bytes the lines have.
  let plainSize: Int
}

/// Joins lines to a body, and compresses it on the way (network specification, section 3.12).
///
/// The lines go through a small buffer into the compressor, so that no second copy of the batch
/// exists.
enum BodyEncoder {
  /// Bodies below this size are larger when compressed.
  static let smallestCompressed = 256
  /// How many bytes are handed to the compressor at once.
  static let pieceSize = 64 << 10
  private static let userAgentName = Array("&userAgent=".utf8)

  /// Makes a body.
  ///
  /// - Parameters:
  ///   - lines: The lines, each with whether it is the first of its visitor.
  ///   - userAgent: Percent-encoded; for the first line of each visitor. Empty for none.
  ///   - level: How to compress; nil to leave it.
  static func encode(
    _ lines: [(line: StoredLine, isFirst: Bool)], userAgent: [UInt8], level: CompressionLevel?
  ) -> TrackingBody {
    let suffix = userAgent.isEmpty ? [] : userAgentName + userAgent
    let size = lines.reduce(max(0, lines.count - 1)) { sum, item in
      sum + item.line.line.count + (item.isFirst ? suffix.count : 0)
    }
    if let level, size >= smallestCompressed,
      let bytes = compress(lines, suffix: suffix, level: level)
    {
      return TrackingBody(bytes: bytes, isCompressed: true, plainSize: size)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    for position in lines.indices { append(lines, position, suffix, to: &bytes) }
    return TrackingBody(bytes: bytes, isCompressed: false, plainSize: size)
  }

  /// Nil if there is no memory for compressing; the body goes out as it is then.
  private static func compress(
    _ lines: [(line: StoredLine, isFirst: Bool)], suffix: [UInt8], level: CompressionLevel
  ) -> [UInt8]? {
    // The only error is that there is no memory, which the caller answers.
    guard var compressor = try? GzipCompressor(level: level) else { return nil }
    var output: [UInt8] = []
    var piece: [UInt8] = []
    piece.reserveCapacity(pieceSize)
    for position in lines.indices {
      append(lines, position, suffix, to: &piece)
      guard piece.count >= pieceSize else { continue }
      compressor.append(piece, into: &output)
      piece.removeAll(keepingCapacity: true)
    }
    compressor.append(piece, into: &output)
    compressor.finish(into: &output)
    return output
  }

  private static func append(
    _ lines: [(line: StoredLine, isFirst: Bool)], _ position: Int, _ suffix: [UInt8],
    to bytes: inout [UInt8]
  ) {
    if position > 0 { bytes.append(UInt8(ascii: "\n")) }
    bytes.append(contentsOf: lines[position].line.line)
    if lines[position].isFirst { bytes.append(contentsOf: suffix) }
  }
}
