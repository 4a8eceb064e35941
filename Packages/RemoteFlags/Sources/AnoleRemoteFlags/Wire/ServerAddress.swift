// SPDX-License-Identifier: Apache-2.0

/// The rules for base URLs (remote flags specification, RF-91 and section 2.1).
enum ServerAddress {
  /// A base URL in the form in which names of methods are appended; nil when it is none.
  ///
  /// White space around it is cut, a missing slash at its end is added. It must be http or https, name a
  /// host, and have no inner white space, user, query or fragment.
  static func base(_ text: String) -> String? {
    let trimmed = text.trimmingWhiteSpace()
    guard trimmed.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
      let separator = trimmed.firstRange(of: "://")
    else { return nil }
    let scheme = trimmed[..<separator.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    let rest = trimmed[separator.upperBound...]
    guard !rest.contains(where: { "?#\\".contains($0) }) else { return nil }
    let authority = rest.prefix { $0 != "/" }
    guard let first = authority.first, first != ":", !authority.contains("@") else { return nil }
    return trimmed.hasSuffix("/") ? trimmed : trimmed + "/"
  }

  /// The base URL of an application, where none is configured.
  static func standard(application: String) -> String {
    "https://\(application).api.pushwoosh.com/json/1.3/"
  }

  /// Whether a text can be an application code: letters, digits and hyphens of ASCII, up to 63.
  ///
  /// The code becomes part of a host's name. Codes with a dot are refused, as the vendor does.
  static func isApplicationCode(_ text: String) -> Bool {
    (1...63).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
          true
        default:
          false
        }
      }
  }
}

extension String {
  /// The text without white space at its ends.
  func trimmingWhiteSpace() -> String {
    var rest = self[...]
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
