// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking
import AnoleWireRecordings
import kameleoonClient

/// How long a token is used, and when it is renewed, as requests show it.
enum TokenVectors {
  private static let step = Duration.milliseconds(1)

  /// A case of `vectors_token_lifetimes`.
  static func lifetime(_ item: JSONValue) async throws -> WireVectors.Outcome {
    let life = try item.integer("expiresIn")
    guard let expired = item["expiredAfterSeconds"]?.doubleValue,
      let obsolete = item["obsoleteAfterSeconds"]?.doubleValue
    else { throw WireFormatError("a span is no number in \(item)") }
    if expired <= 0 {
      return try await expect(life, after: .zero, uses: "TOKEN_2", tokens: 2)
    }
    let (end, renewal) = (Duration.seconds(expired), Duration.seconds(obsolete))
    // Before it is obsolete the token is used, and no other is asked for.
    let checks: [(Duration, String, Int)] =
      [(renewal - step, "TOKEN_1", 1)]
      + (renewal < end ? [(renewal, "TOKEN_1", 2), (end - step, "TOKEN_1", 2)] : [])
      + [(end, "TOKEN_2", 2)]
    for (span, token, count) in checks {
      let outcome = try await expect(life, after: span, uses: token, tokens: count)
      if case .differs = outcome { return outcome }
    }
    return .passed
  }

  /// Gets a token, lets a span pass, and makes a second request.
  private static func expect(
    _ life: Int64, after span: Duration, uses token: String, tokens count: Int
  ) async throws -> WireVectors.Outcome {
    let config = KameleoonClientConfig(clientId: "cid", clientSecret: "sec")
    let answers = VectorPlatform.Answers(dataFile: nil, tokenLifetime: life)
    // Without a data file there is no activity event, which would need a token as well.
    return try await VectorClient.with(config: config, answers: answers) { client in
      _ = try await client.client.getRawRemoteData(key: "k1")
      try await client.time.jump(span)
      _ = try await client.client.getRawRemoteData(key: "k2")
      try await client.await { $0.count(.token) >= count }
      let used = client.lastRequest(.remoteData)?.headers["Authorization"] ?? "no token"
      guard used == "Bearer \(token)" else {
        return .differs("after \(span): expected \(token), got \(used)")
      }
      return .compare(
        "after \(span): token requests", expected: count, actual: client.count(.token))
    }
  }
}
