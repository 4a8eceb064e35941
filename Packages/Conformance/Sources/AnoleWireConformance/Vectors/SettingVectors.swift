// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking
import AnoleWireRecordings
import kameleoonClient

/// Effective values of settings, as a client shows them by when it does something.
enum SettingVectors {
  private static let step = Duration.milliseconds(1)

  // MARK: - Spans

  /// A case of `vectors_config_values`.
  static func effectiveValue(_ item: JSONValue) async throws -> WireVectors.Outcome {
    let input = item["input"]?.integerValue.map { Int($0) }
    let span = Duration.milliseconds(try item.integer("effectiveMs"))
    switch try item.text("parameter") {
    case "trackingIntervalMillisecond": return try await trackingInterval(input, span)
    case "refreshIntervalMinute": return try await refreshInterval(input, span)
    case "defaultTimeoutMillisecond": return try await timeout(input, span)
    case let other: return .skipped("\(other) is not known")
    }
  }

  /// The first report leaves one interval after the client has become ready.
  private static func trackingInterval(
    _ input: Int?, _ span: Duration
  ) async throws -> WireVectors.Outcome {
    let config = KameleoonClientConfig(trackingIntervalMillisecond: input)
    return try await VectorClient.with(config: config) { client in
      client.client.trackConversion(goalId: 1, revenue: 0, negative: false, metadata: [])
      return try await happens(after: span, client) { $0.count(.tracking) > 0 }
    }
  }

  /// The second fetch comes one interval after the first.
  private static func refreshInterval(
    _ input: Int?, _ span: Duration
  ) async throws -> WireVectors.Outcome {
    let config = KameleoonClientConfig(refreshIntervalMinute: input)
    return try await VectorClient.with(config: config) { client in
      try await happens(after: span, client) { $0.count(.configuration) > 1 }
    }
  }

  /// The limit of a request, and of waiting for readiness.
  private static func timeout(
    _ input: Int?, _ span: Duration
  ) async throws -> WireVectors.Outcome {
    let config = KameleoonClientConfig(defaultTimeoutMillisecond: input)
    let answers = VectorPlatform.Answers(dataFile: nil)
    return try await VectorClient.with(config: config, answers: answers) { client in
      let answer = Answer()
      client.client.runWhenReady { answer.give($0) }
      try await client.await { $0.count(.configuration) > 0 }
      let limit = client.lastRequest(.configuration)?.timeout
      guard limit == span else {
        return .differs(
          "limit of a request: expected \(span), got \(limit.map { "\($0)" } ?? "none")")
      }
      return try await happens(after: span, client) { _ in answer.isGiven }
    }
  }

  /// Whether something happens exactly when a span has passed.
  private static func happens(
    after span: Duration, _ client: VectorClient, _ hasHappened: (VectorClient) -> Bool
  ) async throws -> WireVectors.Outcome {
    try await client.time.jump(span - step)
    guard !hasHappened(client) else { return .differs("it happened before \(span)") }
    try await client.time.jump(step)
    try await client.await(hasHappened)
    return hasHappened(client) ? .passed : .differs("it did not happen after \(span)")
  }

  /// Whether a callback was called.
  private final class Answer: Sendable {
    private let value = Lock<Bool?>(nil)

    var isGiven: Bool { value.withLock { $0 != nil } }

    func give(_ isReady: Bool) { value.withLock { $0 = isReady } }
  }

  // MARK: - Visitor codes

  /// A case of `vectors_visitor_code`.
  static func visitorCode(_ item: JSONValue) async throws -> WireVectors.Outcome {
    let isExpected = item["valid"]?.boolValue ?? false
    let code: String
    if let text = item["repeat"]?.stringValue {
      code = String(repeating: text, count: Int(try item.integer("count")))
    } else if let input = item["input"]?.stringValue {
      code = input
    } else {
      return .decided(
        WireReport.Decision(
          section: "public-api.md 2.1", difference: "without a visitor code one is generated"))
    }
    do {
      let client = try VectorClient(visitorCode: code)
      await client.client.close()
      return isExpected ? .passed : .differs("a client was made")
    } catch KameleoonError.visitorCodeInvalid(let refused) {
      guard refused == code else { return .differs("another code was refused") }
      return isExpected ? .differs("the code was refused") : .passed
    }
  }
}
