// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An access token as the server issued it.
public struct AccessToken: Sendable, Hashable, CustomStringConvertible {
  private struct Answer: Decodable {
    enum CodingKeys: String, CodingKey {
      case token = "access_token"
      case seconds = "expires_in"
    }
    let token: String
    let seconds: Int64
  }

  /// A token is given up so long before the server does, for clocks and ways that differ.
  static let safetyMargin: Int64 = 60
  /// A token is renewed in the background so long before its end.
  static let renewalMargin: Int64 = 1_800
  /// More than any token lives (a hundred years); larger numbers in an answer count as this.
  private static let longestLife: Int64 = 3_153_600_000

  /// The token.
  public let value: String
  /// The life that the server gave it, in seconds.
  public let lifetime: Int64

  /// Makes a token; nil if the text is empty or unfit for a header, or the life not positive.
  public init?(value: String, lifetime: Int64) {
    guard !value.isEmpty, lifetime > 0, value.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.value = value
    self.lifetime = min(lifetime, Self.longestLife)
  }

  /// Reads the JSON of the server's answer, `{"access_token": …, "expires_in": …}`; nil for
  /// anything else.
  public init?(answer: [UInt8]) {
    // Why it does not decode makes no difference: it is a failed token fetch.
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(answer)) else {
      return nil
    }
    self.init(value: answer.token, lifetime: answer.seconds)
  }

  /// The span after the answer at which the token must not be used any more.
  ///
  /// Zero or less: it is for the waiting requests only.
  public var expiresAfter: Duration { .seconds(lifetime - Self.safetyMargin) }

  /// The span after the answer at which it is still used, but renewed in the background.
  public var isObsoleteAfter: Duration {
    guard lifetime > Self.renewalMargin else { return expiresAfter }
    return .seconds(lifetime - Self.renewalMargin)
  }

  /// A text that does not show the token.
  public var description: String { "access token for \(lifetime) s" }
}
