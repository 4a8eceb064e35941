// SPDX-License-Identifier: Apache-2.0

/// The cookie by which a web view or a web site knows the same visitor.
public struct VisitorCodeCookie: Sendable, Hashable {
  /// The name that the platform's software for browsers reads.
  public static let name = "kameleoonVisitorCode"

  /// The visitor code.
  public let value: String
  /// The domain with a dot in front; empty for the host of the page alone.
  public let domain: String
  /// The path, `/`.
  public let path: String
  /// Whether the cookie is for secure connections only; it is.
  public let secure: Bool
  /// How long the cookie lasts, in seconds; nil until the browser is closed.
  public let maxAgeSeconds: Int?

  /// Makes a cookie.
  ///
  /// - Parameters:
  ///   - value: The visitor code.
  ///   - domain: The domain, with or without a dot in front; a text that is none counts as empty.
  ///   - maxAgeSeconds: How long the cookie lasts; nil until the browser is closed.
  public init(value: String, domain: String, maxAgeSeconds: Int? = 31_536_000) {
    self.value = value
    self.domain = Self.normalized(domain)
    self.maxAgeSeconds = maxAgeSeconds
    path = "/"
    secure = true
  }

  /// The value of a `Set-Cookie` header.
  ///
  /// Characters of the visitor code that cookies cannot carry are percent-encoded, as browsers' software
  /// does it.
  public var setCookieHeaderValue: String {
    var parts = ["\(Self.name)=\(Self.encoded(value))", "Path=\(path)"]
    if !domain.isEmpty { parts.append("Domain=\(domain)") }
    if let maxAgeSeconds { parts.append("Max-Age=\(maxAgeSeconds)") }
    if secure { parts.append("Secure") }
    return parts.joined(separator: "; ")
  }

  private static func normalized(_ domain: String) -> String {
    let labels = domain.drop { $0 == "." }
    let isDomain =
      !labels.isEmpty
      && labels.utf8.allSatisfy { byte in
        isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
      }
    return isDomain ? "." + labels : ""
  }

  private static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if isLetterOrDigit(byte) || "-_.~".utf8.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += byte < 16 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

extension KameleoonClient {
  /// The cookie by which a web view or a web site knows this visitor.
  ///
  /// - Parameters:
  ///   - domain: The site's domain, with or without a dot in front.
  ///   - maxAgeSeconds: How long the cookie lasts, a year by default; nil until the browser is closed.
  public func visitorCodeCookie(
    domain: String, maxAgeSeconds: Int? = 31_536_000
  ) -> VisitorCodeCookie {
    let cookie = VisitorCodeCookie(
      value: visitorCode, domain: domain, maxAgeSeconds: maxAgeSeconds)
    if cookie.domain.isEmpty && !domain.isEmpty {
      KameleoonLogger.write(
        .error, "visitorCodeCookie: \"\(domain)\" is not a domain; the cookie is for the host alone"
      )
    }
    return cookie
  }
}
