// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import Testing

let formats: [CompressionFormat] = [.gzip, .zlib, .rawDeflate]

@Suite("Gzip")
struct GzipTests {
  private static let text = Array(
    String(repeating: "nonce=0123&eventType=activity&visitorCode=v\n", count: 40).utf8)

  /// Compresses in pieces.
  private func compress(_ pieces: [[UInt8]], _ level: CompressionLevel) throws -> [UInt8] {
    var compressor = try GzipCompressor(level: level)
    var output: [UInt8] = []
    for piece in pieces { compressor.append(piece, into: &output) }
    compressor.finish(into: &output)
    compressor.finish(into: &output)
    return output
  }

  private func decompress(
    _ pieces: [[UInt8]], format: CompressionFormat?, limits: DecompressionLimits = .standard
  ) throws -> [UInt8] {
    var decompressor = try GzipDecompressor(format: format, limits: limits)
    var output: [UInt8] = []
    for piece in pieces { try decompressor.append(piece, into: &output) }
    try decompressor.finish()
    return output
  }

  @Test("whatever goes in comes out, in one piece and in many", arguments: formats)
  func roundTrips(_ format: CompressionFormat) throws {
    var random = TestMutation(seed: 1, marks: "a")
    let sizes =
      [0, 1, 2, 65_535, 65_536, 65_537, 300_000] + (0..<60).map { _ in random.below(9_000) }
    for size in sizes {
      let isNoise = random.below(2) == 0
      let bytes =
        isNoise ? random.bytes(size) : (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }
      let level = try #require(CompressionLevel(1 + random.below(9)))
      let packed = try Gzip.compress(bytes, level: level, format: format)
      #expect(try Gzip.decompress(packed, format: format) == bytes)
      #expect(try Gzip.decompress(packed, format: nil) == bytes)
      if size < 9_000 {
        #expect(try decompress(random.cut(packed), format: format) == bytes)
        #expect(try decompress(random.cut(packed), format: nil) == bytes)
      }
    }
  }

  @Test("the result depends on bytes and level, not on the cut")
  func deterministic() throws {
    var random = TestMutation(seed: 2, marks: "a")
    for value in 1...9 {
      let level = try #require(CompressionLevel(value))
      let bytes = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 1_000 + random.below(3)) }
      let whole = try Gzip.compress(bytes, level: level)
      #expect(try Gzip.compress(bytes, level: level) == whole)
      #expect(try compress(random.cut(bytes), level) == whole)
      #expect(try compress(EventStreamVector.cut(bytes, size: 40_000), level) == whole)
      #expect(Array(whole.prefix(8)) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
      #expect(whole[9] == 3)
    }
  }

  @Test("levels exist from 1 to 9, and 9 is not larger than 1")
  func levels() throws {
    #expect(CompressionLevel(0) == nil)
    #expect(CompressionLevel(10) == nil)
    #expect(CompressionLevel.balanced.value == 6)
    #expect(
      try Gzip.compress(Self.text, level: .smallest).count
        <= Gzip.compress(Self.text, level: .fastest).count)
  }

  @Test("every cut of a file is found", arguments: formats)
  func truncated(_ format: CompressionFormat) throws {
    let packed = try Gzip.compress(Self.text, format: format)
    for length in 0..<packed.count {
      let part = Array(packed[..<length])
      let error = #expect(throws: GzipError.self) { try Gzip.decompress(part, format: format) }
      #expect(error?.code == .truncated, "cut at \(length)")
      #expect(throws: GzipError.self) { try Gzip.decompress(part, format: nil) }
    }
  }

  @Test("a flipped bit gives an error or the same bytes, never others")
  func flippedBits() throws {
    let packed = try Gzip.compress(Self.text)
    var harmless = 0
    for position in packed.indices {
      for bit in 0..<8 {
        var damaged = packed
        damaged[position] ^= 1 << UInt8(bit)
        guard let result = try? Gzip.decompress(damaged) else { continue }
        #expect(result == Self.text)
        if !(3...9).contains(position) { harmless += 1 }
      }
    }
    // Besides time, flags and system in the header, only the bits that fill the last byte of the
    // compressed data up are without meaning.
    #expect(harmless < 8)
  }

  @Test("members in a row are one file, other bytes behind the end are an error")
  func members() throws {
    let first = try Gzip.compress(Array("one ".utf8))
    let second = try Gzip.compress(Array("two".utf8))
    #expect(try Gzip.decompress(first + second) == Array("one two".utf8))
    var random = TestMutation(seed: 3, marks: "a")
    for _ in 0..<50 {
      #expect(
        try decompress(random.cut(first + second), format: .gzip) == Array("one two".utf8))
    }
    for tail in [[0], [1, 2, 3], Array(first.prefix(5))] as [[UInt8]] {
      #expect(throws: GzipError.self) { try Gzip.decompress(first + tail) }
    }
    let zlib = try Gzip.compress([1, 2], format: .zlib)
    let error = #expect(throws: GzipError.self) { try Gzip.decompress(zlib + [0], format: .zlib) }
    #expect(error?.code == .corrupt)
  }

  @Test("an error comes again at every further call")
  func sticky() throws {
    var decompressor = try GzipDecompressor()
    var output: [UInt8] = []
    for _ in 0..<3 {
      var code: GzipError.Code?
      do { try decompressor.append([1, 2, 3], into: &output) } catch { code = error.code }
      #expect(code == .corrupt)
    }
    var code: GzipError.Code?
    do { try decompressor.finish() } catch { code = error.code }
    #expect(code == .corrupt)
    #expect(output.isEmpty)
  }
}

@Suite("Decompression bombs")
struct DecompressionBombTests {
  @Test("the size limit is exact")
  func size() throws {
    let packed = try Gzip.compress([UInt8](repeating: 7, count: 10_000))
    let exact = DecompressionLimits(maximumSize: 10_000)
    #expect(try Gzip.decompress(packed, limits: exact).count == 10_000)
    let error = #expect(throws: GzipError.self) {
      try Gzip.decompress(packed, limits: DecompressionLimits(maximumSize: 9_999))
    }
    #expect(error?.code == .tooLarge)
  }

  @Test("a bomb is stopped by its ratio before the memory is spent")
  func ratio() throws {
    let bomb = try Gzip.compress([UInt8](repeating: 0, count: 32 << 20), level: .smallest)
    #expect(bomb.count < 40_000)
    var decompressor = try GzipDecompressor()
    var output: [UInt8] = []
    var code: GzipError.Code?
    for start in stride(from: 0, to: bomb.count, by: 100) {
      do {
        try decompressor.append(Array(bomb[start...].prefix(100)), into: &output)
      } catch {
        code = error.code
        break
      }
    }
    #expect(code == .ratioExceeded)
    #expect(output.count <= DecompressionLimits.ratioFloor + 200_000)
  }

  @Test("a bomb in one piece stops at the size limit")
  func onePiece() throws {
    let bomb = try Gzip.compress([UInt8](repeating: 0, count: 32 << 20))
    var output: [UInt8] = []
    var decompressor = try GzipDecompressor(
      limits: DecompressionLimits(maximumSize: 1 << 20, maximumRatio: 10_000))
    var code: GzipError.Code?
    do { try decompressor.append(bomb, into: &output) } catch { code = error.code }
    #expect(code == .tooLarge)
    #expect(output.count <= 1 << 20)
  }

  @Test("a bomb of many small members is one file to the limits")
  func members() throws {
    let member = try Gzip.compress([UInt8](repeating: 1, count: 60_000), level: .smallest)
    let bomb = [[UInt8]](repeating: member, count: 400).flatMap { $0 }
    let error = #expect(throws: GzipError.self) { try Gzip.decompress(bomb) }
    #expect(error?.code == .ratioExceeded)
  }
}
