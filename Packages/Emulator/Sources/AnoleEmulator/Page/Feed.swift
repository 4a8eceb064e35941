// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels

/// What a reader of the feed has seen.
struct NewsPosition: Sendable, Hashable {
  /// The greatest sequence number of a request.
  var sequence: Int
  /// The state of configuration.
  var revision: Int
  /// How many streams are open.
  var streams: Int
}

extension Platform {
  /// What a reader of the feed who has seen everything knows.
  var newsPosition: NewsPosition {
    NewsPosition(
      sequence: journal.nextSequence - 1, revision: configurationRevision, streams: streams.count)
  }
}

extension ControlEndpoint {
  /// How many requests one answer of the feed tells, the newest.
  private static let maximumRequests = 200
  /// How many tracked events one answer tells of one request.
  private static let maximumEvents = 200
  /// How many characters of a text it tells.
  private static let maximumCharacters = 16_384
  /// How long a reader waits for news before an answer without any.
  private static let patience = Duration.seconds(25)

  /// What has happened since the reader asked last; if nothing has, the answer waits for it.
  @Sendable
  static func readFeed(
    _ arguments: ControlArguments, _ core: Core
  ) async throws(ControlError) -> JSONValue {
    try arguments.allow("after", "revision", "streams")
    let counts = 0...Int64(Int.max)
    let after = try arguments.integer("after", in: counts) ?? 0
    if let revision = try arguments.integer("revision", in: counts),
      let streams = try arguments.integer("streams", in: counts)
    {
      await wait(
        until: .news(NewsPosition(sequence: after, revision: revision, streams: streams)), core)
    }
    let (position, count, requests) = core.change { platform in
      (
        platform.newsPosition, platform.journal.count(nil),
        platform.journal.requests(nil, after: after)
      )
    }
    return [
      "sequence": .number(.integer(Int64(position.sequence))),
      "revision": .number(.integer(Int64(position.revision))),
      "streams": .number(.integer(Int64(position.streams))),
      "count": .number(.integer(Int64(count))),
      "skipped": .number(.integer(Int64(max(0, requests.count - maximumRequests)))),
      "requests": .array(requests.suffix(maximumRequests).map(document)),
    ]
  }

  private static func wait(until condition: Waiter.Condition, _ core: Core) async {
    await withTaskGroup(of: Void.self) { group in
      // Why a wait ends does not matter: the answer says what there is.
      group.addTask { try? await core.wait(until: condition) }
      group.addTask { try? await core.time.sleep(for: patience) }
      await group.next()
      group.cancelAll()
    }
  }

  private static func document(_ request: RecordedRequest) -> JSONValue {
    var members: [JSONValue.Member] = []
    func add(_ key: String, _ value: JSONValue) { members.append(.init(key: key, value: value)) }
    add("sequence", .number(.integer(Int64(request.sequence))))
    add("route", .string(request.route.rawValue))
    add("method", .string(request.method))
    add("path", text(request.path))
    add("query", .array(request.parameters.prefix(maximumEvents).map(pair)))
    add("status", request.status.map { .number(.integer(Int64($0))) } ?? .null)
    add("complete", .bool(request.isComplete))
    add("faulted", .bool(request.isFaulted))
    if let tracking = request.tracking {
      let events = tracking.events.prefix(maximumEvents)
      add("events", .array(events.map { .array($0.parameters.map(pair)) }))
      add("skippedEvents", .number(.integer(Int64(tracking.events.count - events.count))))
      add(
        "findings",
        .array(
          tracking.findings.filter { $0.line <= events.count }.map { finding in
            [
              "line": .number(.integer(Int64(finding.line))),
              "kind": .string(finding.kind.description), "message": text(finding.message),
            ]
          }))
    }
    if let impression = FlagImpression(request) {
      add(
        "impression",
        [
          "application": text(impression.application), "device": text(impression.device),
          "user": text(impression.user), "key": text(impression.key),
          "rule": text(impression.ruleID), "enabled": .bool(impression.isEnabled),
        ])
    }
    return .object(members)
  }

  private static func pair(_ parameter: Parameter) -> JSONValue {
    [text(parameter.name), text(parameter.value)]
  }

  /// A text, cut where it is longer than anybody reads.
  private static func text(_ text: String) -> JSONValue {
    guard text.utf8.count > maximumCharacters, text.count > maximumCharacters else {
      return .string(text)
    }
    return .string("\(text.prefix(maximumCharacters)) … (\(text.count) characters)")
  }
}
