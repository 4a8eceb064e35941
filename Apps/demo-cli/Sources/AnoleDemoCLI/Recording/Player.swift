// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEmulator

/// Answers requests as a recording says.
///
/// Each takes the first exchange of its route that is unused and has the same target, or else the same
/// path, or else any; when all are used, the last one that fits is repeated. The text behind `ts=` in
/// a target, which is the time of an event, does not count.
final class Player: Sendable {
  /// How many exchanges were used, and the requests that no exchange fits.
  struct Count: Sendable, Hashable {
    var used = 0
    var unknown: [String] = []
  }

  private struct State: Sendable {
    var isUsed: [Bool]
    var unknown: [String] = []
  }

  private let recording: Recording
  private let time: TimeSource
  private let state: Lock<State>

  init(_ recording: Recording, time: TimeSource) {
    self.recording = recording
    self.time = time
    state = Lock(State(isUsed: recording.exchanges.map { _ in false }))
  }

  var count: Count {
    state.withLock { state in
      Count(used: state.isUsed.count { $0 }, unknown: state.unknown)
    }
  }

  /// The answer to a request; nil where the recording has none.
  func respond(_ request: ForwardedRequest) async -> ForwardedAnswer? {
    guard let position = take(request) else {
      let title = "\(request.method) \(request.target)"
      state.withLock { $0.unknown.append(title) }
      return ForwardedAnswer(
        status: 404, body: .bytes(Array("The recording has no \(request.route).\n".utf8)))
    }
    let answer = recording.exchanges[position].answer
    if answer.delay > 0 {
      // Cancelled: nobody waits for the answer.
      guard (try? await time.sleep(for: .milliseconds(answer.delay))) != nil else { return nil }
    }
    guard let status = answer.status else { return nil }
    let fields = answer.fields.map { HeaderField($0.name, $0.value) }
    switch answer.body {
    case .bytes(let bytes):
      return ForwardedAnswer(status: status, fields: fields, body: .bytes(bytes))
    case .stream(let pieces, let isEnded):
      let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
      for piece in pieces { continuation.yield(Array(piece.utf8)) }
      if isEnded { continuation.finish() }
      return ForwardedAnswer(status: status, fields: fields, body: .pieces(stream))
    }
  }

  /// The place of the exchange for a request, which is used then.
  private func take(_ request: ForwardedRequest) -> Int? {
    let target = Self.comparable(request.target)
    let path = request.target.prefix { $0 != "?" }
    let places = recording.exchanges.indices.filter {
      let exchange = recording.exchanges[$0]
      return exchange.route == request.route && exchange.request.method == request.method
    }
    let groups = [
      places.filter { Self.comparable(recording.exchanges[$0].target) == target },
      places.filter { recording.exchanges[$0].request.path == path },
      places,
    ]
    return state.withLock { state in
      let unused = groups.joined().first { [isUsed = state.isUsed] in !isUsed[$0] }
      guard let place = unused ?? groups.compactMap(\.last).first else { return nil }
      state.isUsed[place] = true
      return place
    }
  }

  /// A target without the time of an event.
  private static func comparable(_ target: String) -> [Substring] {
    target.split { $0 == "?" || $0 == "&" }.filter { !$0.hasPrefix("ts=") }
  }
}

extension Recording.Exchange {
  fileprivate var target: String {
    request.path + (request.query.isEmpty ? "" : "?\(request.query)")
  }
}
