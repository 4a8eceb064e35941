// SPDX-License-Identifier: Apache-2.0

/// The open event streams and what is still to be sent on them.
struct StreamBoard: Sendable {
  /// How many unsent bytes one stream may have; the client that does not read is cut off.
  static let maximumPendingBytes = 4 << 20

  private struct Stream: Sendable {
    let siteCode: String
    var pending: [UInt8] = []
    var isEnded = false
    var isAborted = false
  }

  enum Piece: Equatable {
    case bytes([UInt8])
    case nothingYet
    case end
    case abort
  }

  private var streams: [Int: Stream] = [:]

  /// How many streams take events.
  var count: Int { streams.values.count { !$0.isEnded && !$0.isAborted } }

  mutating func open(_ id: Int, siteCode: String) { streams[id] = Stream(siteCode: siteCode) }

  mutating func remove(_ id: Int) { streams[id] = nil }

  /// Adds bytes to all streams of a site (nil: to all); returns which.
  mutating func push(_ bytes: [UInt8], siteCode: String?) -> [Int] {
    var reached: [Int] = []
    for (id, stream) in streams where siteCode == nil || stream.siteCode == siteCode {
      if push(bytes, on: id) { reached.append(id) }
    }
    return reached
  }

  /// Ends all streams of a site (nil: all) when what is pending has been sent; returns which.
  mutating func end(siteCode: String?) -> [Int] {
    var reached: [Int] = []
    for (id, stream) in streams where siteCode == nil || stream.siteCode == siteCode {
      if end(id) { reached.append(id) }
    }
    return reached
  }

  /// Adds bytes to one stream; false if it takes none any more.
  mutating func push(_ bytes: [UInt8], on id: Int) -> Bool {
    guard let stream = streams[id], !stream.isEnded, !stream.isAborted else { return false }
    if stream.pending.count + bytes.count > Self.maximumPendingBytes {
      streams[id]?.isAborted = true
    } else {
      streams[id]?.pending += bytes
    }
    return true
  }

  /// Ends one stream when what is pending has been sent; false if it has ended before.
  mutating func end(_ id: Int) -> Bool {
    guard let stream = streams[id], !stream.isEnded else { return false }
    streams[id]?.isEnded = true
    return true
  }

  /// Takes what is to be sent next on a stream.
  mutating func take(_ id: Int, atMost limit: Int) -> Piece {
    guard let stream = streams[id], !stream.isAborted else { return .abort }
    if stream.pending.isEmpty { return stream.isEnded ? .end : .nothingYet }
    let piece = Array(stream.pending.prefix(limit))
    streams[id]?.pending.removeFirst(piece.count)
    return .bytes(piece)
  }
}
