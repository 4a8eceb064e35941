// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import Testing

@Suite("Damaged compressed bytes")
struct GzipFuzzTests {
  @Test("twenty thousand damaged files end in an error or in bytes within the limits")
  func fuzz() throws {
    var mutation = TestMutation(seed: 0x62, marks: "\u{1F}\u{8}\u{0}x")
    let text = Array(String(repeating: "event: ping, ", count: 20).utf8)
    let seeds =
      try formats.map { try Gzip.compress(text, format: $0) } + [
        Gzip.compress(text) + Gzip.compress([]) + Gzip.compress([1, 2, 3]),
        Gzip.compress(mutation.bytes(300)),
        Gzip.compress([UInt8](repeating: 0, count: 5_000)),
      ]
    let limits = DecompressionLimits(maximumSize: 4_000)
    for round in 0..<20_000 {
      let damaged = mutation.mutate(seeds[round % seeds.count])
      let format = round % 7 == 0 ? nil : formats[round % formats.count]
      let whole = Result { try Gzip.decompress(damaged, format: format, limits: limits) }
      var decompressor = try GzipDecompressor(format: format, limits: limits)
      var output: [UInt8] = []
      var hasFailed = false
      do {
        for piece in mutation.cut(damaged) { try decompressor.append(piece, into: &output) }
        try decompressor.finish()
      } catch {
        hasFailed = true
      }
      #expect(output.count <= limits.maximumSize)
      switch whole {
      case .success(let bytes): #expect(!hasFailed && bytes == output)
      case .failure: #expect(hasFailed)
      }
    }
  }
}
