// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking
import Testing

@testable import AnoleTracking

@Suite("Bodies")
struct BodyEncoderTests {
  private func lines(_ count: Int) throws -> [(line: StoredLine, isFirst: Bool)] {
    try (0..<count).map { (try line(conversion($0), of: "v\($0 / 2)"), $0.isMultiple(of: 2)) }
  }

  @Test("lines are joined by line feeds; the first of each visitor carries the user agent")
  func plain() throws {
    let body = BodyEncoder.encode(
      try lines(3), userAgent: Array("Shop%2F1".utf8), level: nil)
    let nonce = "nonce=0000000000000001&eventType=conversion&goalId="
    #expect(
      String(decoding: body.bytes, as: UTF8.self) == """
        \(nonce)0&revenue=0&negative=false&visitorCode=v0&userAgent=Shop%2F1
        \(nonce)1&revenue=0&negative=false&visitorCode=v0
        \(nonce)2&revenue=0&negative=false&visitorCode=v1&userAgent=Shop%2F1
        """)
    #expect(body.plainSize == body.bytes.count)
    #expect(!body.isCompressed)
    #expect(BodyEncoder.encode([], userAgent: [], level: .fastest).bytes.isEmpty)
  }

  @Test("bodies of 256 bytes and more are compressed, smaller ones are not")
  func threshold() throws {
    for (size, isCompressed) in [(255, false), (256, true)] {
      let bare = try line(.pageView(url: "x")).line.count
      let text = String(repeating: "x", count: size - bare + 1)
      let body = BodyEncoder.encode(
        [(try line(.pageView(url: text)), true)], userAgent: [], level: .balanced)
      #expect(body.plainSize == size)
      #expect(body.isCompressed == isCompressed)
    }
  }

  @Test(
    "the compressed body is that of the whole, however many pieces it went in",
    arguments: [2, 700, 5_000])
  func compressed(_ count: Int) throws {
    let lines = try lines(count)
    let agent = Array("Shop".utf8)
    let plain = BodyEncoder.encode(lines, userAgent: agent, level: nil)
    let body = BodyEncoder.encode(lines, userAgent: agent, level: .balanced)
    #expect(body.isCompressed == (plain.bytes.count >= 256))
    guard body.isCompressed else { return }
    #expect(body.plainSize == plain.bytes.count)
    #expect(try Gzip.decompress(body.bytes) == plain.bytes)
    #expect(body.bytes == (try Gzip.compress(plain.bytes)))
    #expect(body.bytes.count < plain.bytes.count)
  }
}
