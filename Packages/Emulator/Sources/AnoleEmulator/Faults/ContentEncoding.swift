// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking

extension Fault.ContentEncoding {
  private var format: CompressionFormat {
    switch self {
    case .gzip: .gzip
    case .deflate: .zlib
    case .rawDeflate: .rawDeflate
    }
  }

  /// The header field that tells clients.
  var field: HeaderField { HeaderField("Content-Encoding", self == .gzip ? "gzip" : "deflate") }

  /// Bytes as they are sent; as they are if there is no memory for compressing.
  func encode(_ bytes: [UInt8]) -> [UInt8] {
    // The one failure is want of memory: then the client gets what it cannot decode, which is a fault too.
    (try? Gzip.compress(bytes, level: .fastest, format: format)) ?? bytes
  }

  /// The compressed form of zeros.
  func bomb(size: Int) -> [UInt8] {
    let piece = [UInt8](repeating: 0, count: 1 << 20)
    var output: [UInt8] = []
    // As above: without memory the body is empty.
    guard var compressor = try? GzipCompressor(level: .fastest, format: format) else { return [] }
    for _ in 0..<max(0, size) / piece.count { compressor.append(piece, into: &output) }
    compressor.append(Array(piece.prefix(max(0, size) % piece.count)), into: &output)
    compressor.finish(into: &output)
    return output
  }
}
