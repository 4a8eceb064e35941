// SPDX-License-Identifier: Apache-2.0

public import AnoleConcurrency

/// Reads `Retry-After`: seconds, or a date.
public enum RetryAfter: Sendable {
  /// The longest delay that is honoured.
  public static let longestDelay: Duration = .seconds(60)

  /// The delay that an answer asks for: only with status 429 or 503, at most ``longestDelay``.
  ///
  /// - Returns: Nil if the answer asks for none or its text is neither form; zero for a date in
  ///   the past.
  public static func delay(of response: HTTPResponse, now: WallClock) -> Duration? {
    delay(status: response.status, headers: response.headers, now: now)
  }

  /// The delay that the head of an answer asks for: only with status 429 or 503.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - headers: The headers.
  ///   - now: The time of day, for dates.
  ///   - longest: The most that is honoured.
  /// - Returns: As ``delay(of:now:)``.
  public static func delay(
    status: Int, headers: HTTPHeaders, now: WallClock, atMost longest: Duration = longestDelay
  ) -> Duration? {
    guard status == 429 || status == 503 else { return nil }
    return headers["Retry-After"].flatMap { delay($0, now: now, atMost: longest) }
  }

  /// The delay that a header's text asks for, at most `longest`.
  public static func delay(
    _ text: String, now: WallClock, atMost longest: Duration = longestDelay
  ) -> Duration? {
    let bytes = text.utf8
    if !bytes.isEmpty, bytes.allSatisfy(ASCIIText.isDigit) {
      // More digits than fit are more seconds than the limit.
      return min(Int64(text).map { .seconds($0) } ?? longest, longest)
    }
    guard let date = HTTPDate.seconds(text) else { return nil }
    return min(max(.milliseconds(date * 1_000 - now.milliseconds), .zero), longest)
  }
}
