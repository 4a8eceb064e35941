// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleStorage

/// An event as it lies in the outbox: its line without user agent, behind a short header.
///
/// | bytes | meaning |
/// | --- | --- |
/// | 0 | the format, 1 |
/// | 1 | the place of the event's kind among the lines of a visitor |
/// | 2 to 5 | how many bytes at the end of the line say whom it is about, lowest byte first |
/// | from 6 | the line |
///
/// Everything that tells one event from another was decided when the event was accepted; a batch
/// only adds the user agent to the first line of each visitor.
struct StoredLine: Sendable {
  static let format: UInt8 = 1
  static let headerSize = 6
  static let activityRank: UInt8 = 0
  static let lastRank: UInt8 = 10
  /// A usual line has some 110 bytes; more is reserved than needed rather than moved.
  private static let usualSize = 160

  /// The place of the kind; activity comes first.
  let rank: UInt8
  private let record: [UInt8]
  private let identityStart: Int

  /// Reads what was stored; nil if it is not what this library writes.
  init?(_ record: [UInt8]) {
    guard record.count > Self.headerSize, record[0] == Self.format, record[1] <= Self.lastRank
    else { return nil }
    let identitySize = (2..<Self.headerSize).reversed().reduce(0) { $0 << 8 | Int(record[$1]) }
    let start = record.count - identitySize
    guard identitySize > 0, start > Self.headerSize,
      record[start - 1] == UInt8(ascii: "&"),
      Self.isIdentity(record[start...]), Self.isLine(record[Self.headerSize...])
    else { return nil }
    rank = record[1]
    self.record = record
    identityStart = start
  }

  /// The line without its user agent.
  var line: ArraySlice<UInt8> { record[Self.headerSize...] }

  /// Whom the line is about: `visitorCode=…` or `mappingValue=…`, percent-encoded.
  var identity: ArraySlice<UInt8> { record[identityStart...] }

  /// The bytes to store; nil for an event without line.
  static func record(
    of event: TrackingEvent, nonce: Nonce, identity: TrackingIdentity
  ) -> [UInt8]? {
    guard event.hasLine else { return nil }
    var writer = LineWriter()
    writer.bytes.reserveCapacity(usualSize)
    writer.bytes += [format, event.rank, 0, 0, 0, 0]
    let identitySize = writer.line(event, nonce: nonce, identity: identity)
    for position in 2..<headerSize {
      writer.bytes[position] = UInt8(truncatingIfNeeded: identitySize >> (8 * (position - 2)))
    }
    return writer.bytes
  }

  /// What is put into the outbox for events, each with a nonce of its own; those without line are
  /// left out.
  ///
  /// - Parameters:
  ///   - events: what happened.
  ///   - identity: whom it is about.
  ///   - nonces: gives the nonces.
  ///   - time: when the events were accepted, in milliseconds since the epoch.
  static func items(
    of events: [TrackingEvent], identity: TrackingIdentity, nonces: NonceSource, at time: Int64
  ) -> [OutboxItem] {
    events.compactMap { event in
      record(of: event, nonce: nonces.next(), identity: identity)
        .map { OutboxItem(body: $0, acceptedAt: time) }
    }
  }

  private static func isIdentity(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.starts(with: "visitorCode=".utf8) || bytes.starts(with: "mappingValue=".utf8)
  }

  /// Whether the bytes are one line with a nonce: nothing in it can spoil the lines around it.
  private static func isLine(_ bytes: ArraySlice<UInt8>) -> Bool {
    let nonce = bytes.dropFirst("nonce=".utf8.count).prefix(16)
    return bytes.starts(with: "nonce=".utf8) && nonce.count == 16
      && nonce.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
      }
      && bytes.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
