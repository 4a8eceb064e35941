// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import Foundation
import Testing

/// One vector of `sse-vectors.json`, which was written from the text of the HTML standard.
struct EventStreamVector: Decodable, Sendable {
  struct Event: Decodable, Sendable {
    struct Repetition: Decodable, Sendable {
      let unit: String
      let count: Int
    }
    let type: String
    let data: String?
    let dataRepeat: Repetition?
    let lastEventId: String

    var text: String {
      data ?? dataRepeat.map { String(repeating: $0.unit, count: $0.count) } ?? ""
    }
  }

  struct Recipe: Decodable, Sendable {
    let prefix: String
    let `repeat`: String
    let count: Int
    let suffix: String
    let chunkSize: Int
  }

  let name: String
  let chunks: [String]?
  let initialLastEventId: String
  let events: [Event]
  let finalLastEventId: String
  let retryMs: Int64?
  let generate: Recipe?

  enum CodingKeys: String, CodingKey {
    case name, initialLastEventId, events, finalLastEventId, retryMs, generate
    case chunks = "chunks_base64"
  }

  /// The stream as given.
  func pieces() throws -> [[UInt8]] {
    if let recipe = generate {
      let body = String(repeating: recipe.repeat, count: recipe.count)
      return Self.cut(Array((recipe.prefix + body + recipe.suffix).utf8), size: recipe.chunkSize)
    }
    return try #require(chunks).map { [UInt8](try #require(Data(base64Encoded: $0))) }
  }

  static func cut(_ bytes: [UInt8], size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0...].prefix(size)) }
  }

  static func all() throws -> [EventStreamVector] {
    struct File: Decodable { let cases: [EventStreamVector] }
    return try JSONDecoder().decode(
      File.self, from: Data(contentsOf: FixtureFile.eventStreamSuite)
    ).cases
  }
}

@Suite(
  "Shared event stream vectors",
  .enabled(if: FixtureFile.hasEventStreamSuite, "../shared/suites is not beside the repository"))
struct EventStreamVectorTests {
  private func check(_ vector: EventStreamVector, _ pieces: [[UInt8]], _ cut: String) throws {
    var parser = ServerSentEventParser(lastEventID: vector.initialLastEventId)
    var events: [ServerSentEvent] = []
    for piece in pieces { events += try parser.parse(piece) }
    let note = "\(vector.name), \(cut)"
    try #require(events.count == vector.events.count, "\(note)")
    for (event, expected) in zip(events, vector.events) {
      // By bytes: == on texts takes composed and decomposed forms for equal.
      #expect(Array(event.type.utf8) == Array(expected.type.utf8), "\(note)")
      #expect(Array(event.data.utf8) == Array(expected.text.utf8), "\(note)")
      #expect(Array(event.lastEventID.utf8) == Array(expected.lastEventId.utf8), "\(note)")
    }
    #expect(parser.lastEventID == vector.finalLastEventId, "\(note)")
    #expect(parser.retry == vector.retryMs.map { .milliseconds($0) }, "\(note)")
  }

  @Test("as given and in pieces of 1 to 16 bytes")
  func vectors() throws {
    let vectors = try EventStreamVector.all()
    #expect(vectors.count == 51)
    for vector in vectors {
      let pieces = try vector.pieces()
      try check(vector, pieces, "as given")
      let whole = pieces.flatMap { $0 }
      try check(vector, [whole], "whole")
      for size in 1...16 {
        try check(vector, EventStreamVector.cut(whole, size: size), "pieces of \(size)")
      }
    }
  }
}
