// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AnoleNetworking

struct ContentCase: Sendable, CustomTestStringConvertible {
  let fields: [String]
  let body: [UInt8]
  var testDescription: String { "\(fields)" }
}

private let textBytes = Array(EncodedBodies.text.utf8)

let plainFields: [[String]] = [[], [""], ["identity"], ["Identity , identity"], [",", "identity"]]

let decodableCases = [
  ContentCase(fields: ["gzip"], body: EncodedBodies.gzip),
  ContentCase(fields: ["GZip"], body: EncodedBodies.gzip),
  ContentCase(fields: ["x-gzip"], body: EncodedBodies.gzip),
  ContentCase(fields: [" \tgzip "], body: EncodedBodies.gzip),
  ContentCase(fields: ["identity, gzip"], body: EncodedBodies.gzip),
  ContentCase(fields: ["identity", "gzip"], body: EncodedBodies.gzip),
  ContentCase(fields: ["deflate"], body: EncodedBodies.deflate),
  ContentCase(fields: ["deflate"], body: EncodedBodies.rawDeflate),
]

let refusedCases = [
  ContentCase(fields: ["br"], body: [1]),
  ContentCase(fields: ["gzip, gzip"], body: EncodedBodies.gzip),
  ContentCase(fields: ["gzip", "deflate"], body: EncodedBodies.gzip),
  ContentCase(fields: [String(repeating: "x", count: 5_000)], body: [1]),
]

@Suite("Content decoder")
struct ContentDecoderTests {
  private func headers(_ fields: [String]) -> HTTPHeaders {
    var headers: HTTPHeaders = [:]
    for field in fields { headers.append(name: "content-encoding", value: field) }
    return headers
  }

  /// What comes out of a body that is handed in by pieces.
  private func decode(
    _ body: [UInt8], fields: [String], pieces size: Int = .max, limit: Int = .max
  ) throws(HTTPError) -> [UInt8] {
    guard var decoder = ContentDecoder(headers(fields), limit: limit) else { return body }
    var output: [UInt8] = []
    var rest = body[...]
    while !rest.isEmpty {
      decoder.receive(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
      while let decoded = try decoder.next() { output += decoded }
    }
    try decoder.finish()
    return output
  }

  /// What comes out of a body that is handed in whole, and the error that follows.
  private func decodeAtOnce(
    _ body: [UInt8], fields: [String], limit: Int
  ) -> (output: [UInt8], error: HTTPError?) {
    var output: [UInt8] = []
    guard var decoder = ContentDecoder(headers(fields), limit: limit) else { return (body, nil) }
    do throws(HTTPError) {
      try decoder.decode(body, into: &output)
      try decoder.finish()
      return (output, nil)
    } catch {
      return (output, error)
    }
  }

  private func failure(
    _ body: [UInt8], fields: [String], pieces size: Int = .max, limit: Int = .max
  ) -> HTTPError? {
    do throws(HTTPError) {
      _ = try decode(body, fields: fields, pieces: size, limit: limit)
      return nil
    } catch {
      return error
    }
  }

  @Test("a body that is sent as it is needs no decoder", arguments: plainFields)
  func plain(_ fields: [String]) {
    let hasDecoder = ContentDecoder(headers(fields), limit: 1) != nil
    #expect(!hasDecoder)
  }

  @Test("known encodings are decoded, whatever the cut", arguments: decodableCases)
  func decodes(_ row: ContentCase) throws {
    for size in 1...row.body.count {
      #expect(try decode(row.body, fields: row.fields, pieces: size) == textBytes)
    }
  }

  @Test(
    "other encodings are refused at the first byte, and named in brief", arguments: refusedCases)
  func refused(_ row: ContentCase) {
    let error = failure(row.body, fields: row.fields)
    #expect(error?.code == .malformedAnswer)
    #expect((error?.message.utf8.count ?? .max) < 120)
    #expect(failure([], fields: row.fields) == nil)
  }

  @Test("no byte is an empty body, whatever the field says", arguments: ["gzip", "deflate", "br"])
  func empty(_ encoding: String) throws {
    #expect(failure([], fields: [encoding]) == nil)
  }

  @Test("the limit is exact, and no more than it comes out")
  func limit() throws {
    let zeros = [UInt8](repeating: 0, count: 300_000)
    for format in [CompressionFormat.gzip, .zlib] {
      let fields = [format == .gzip ? "gzip" : "deflate"]
      let body = try Gzip.compress(zeros, format: format)
      #expect(try decode(body, fields: fields, limit: zeros.count) == zeros)
      #expect(failure(body, fields: fields, limit: zeros.count - 1)?.code == .bodyTooLarge)
      let (output, error) = decodeAtOnce(body, fields: fields, limit: 100_000)
      #expect(error == HTTPError.bodyTooLarge(limit: 100_000))
      #expect(output.count == 100_000)
    }
  }

  @Test("a step gives at most 64 KiB, however much lies in a piece")
  func steps() throws {
    let body = try Gzip.compress([UInt8](repeating: 0, count: 10 << 20))
    guard var decoder = ContentDecoder(headers(["gzip"]), limit: .max) else {
      Issue.record("gzip needs a decoder")
      return
    }
    decoder.receive(body)
    var sizes: [Int] = []
    while let decoded = try decoder.next() { sizes.append(decoded.count) }
    try decoder.finish()
    #expect(sizes.allSatisfy { $0 <= 64 << 10 })
    #expect(sizes.reduce(0, +) == 10 << 20)
  }

  @Test("twenty thousand damaged bodies end in an error or within the limit")
  func damaged() {
    var mutation = TestMutation(seed: 20, marks: "\u{1f}\u{8}x")
    let seeds = [EncodedBodies.gzip, EncodedBodies.deflate, EncodedBodies.rawDeflate]
    for round in 0..<20_000 {
      let body = mutation.mutate(seeds[round % seeds.count])
      let fields = [round % seeds.count == 0 ? "gzip" : "deflate"]
      let (whole, error) = decodeAtOnce(body, fields: fields, limit: 10_000)
      #expect(whole.count <= 10_000)
      #expect(error == failure(body, fields: fields, pieces: 3, limit: 10_000))
    }
  }
}
