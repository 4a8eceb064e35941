// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleStorage
import Testing

@testable import AnoleTracking

/// Nonces that count from a number.
struct CountingGenerator: RandomNumberGenerator, Sendable {
  private var last: UInt64

  init(from first: UInt64 = 1) { last = first - 1 }

  mutating func next() -> UInt64 {
    last += 1
    return last
  }
}

/// What an outbox holds for an event.
func record(
  _ event: TrackingEvent, nonce: UInt64 = 1, of identity: TrackingIdentity
) throws -> [UInt8] {
  try #require(StoredLine.record(of: event, nonce: Nonce(nonce), identity: identity))
}

/// A stored line of a visitor.
func line(
  _ event: TrackingEvent, nonce: UInt64 = 1, of visitorCode: String = "v"
) throws -> StoredLine {
  try #require(StoredLine(record(event, nonce: nonce, of: .visitorCode(visitorCode))))
}

extension StoredLine {
  var text: String { String(decoding: line, as: UTF8.self) }
  var identityText: String { String(decoding: identity, as: UTF8.self) }
}

/// A conversion; the goal tells one from another.
func conversion(_ goal: Int) -> TrackingEvent { .conversion(goalID: Int64(goal)) }
