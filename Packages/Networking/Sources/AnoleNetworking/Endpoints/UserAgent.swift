// SPDX-License-Identifier: Apache-2.0

/// The text by which a server knows the program: `name/version (model; system version)`.
///
/// The platform answers 403 to what it takes for a bot, and libcurl sends no text of its own, so
/// every request carries one.
public struct UserAgent: Sendable, Hashable {
  /// The text, printable ASCII only.
  public let text: String

  /// Builds the text.
  ///
  /// Characters that have no place in it (control characters, letters outside ASCII, separators of
  /// the header's grammar) become `-`; empty parts are left out, an empty name becomes `app`.
  ///
  /// - Parameters:
  ///   - name: The program's or bundle's name.
  ///   - version: Its version.
  ///   - model: The device's model.
  ///   - system: The name of the operating system.
  ///   - systemVersion: Its version.
  public init(
    name: String, version: String = "", model: String = "", system: String = "",
    systemVersion: String = ""
  ) {
    let product = Self.token(name)
    let release = Self.token(version)
    let platform = [Self.comment(system), Self.comment(systemVersion)]
      .filter { !$0.isEmpty }.joined(separator: " ")
    let comment = [Self.comment(model), platform].filter { !$0.isEmpty }.joined(separator: "; ")
    text =
      (product.isEmpty ? "app" : product) + (release.isEmpty ? "" : "/\(release)")
      + (comment.isEmpty ? "" : " (\(comment))")
  }

  /// A token of the header's grammar.
  private static func token(_ part: String) -> String {
    replaced(trimmed(part)) { byte in
      ASCIIText.isPrintable(byte) && !" ()<>@,;:\\\"/[]?={}".utf8.contains(byte)
    }
  }

  /// A part of a comment: spaces are allowed, parentheses, backslashes and semicolons are not.
  private static func comment(_ part: String) -> String {
    replaced(trimmed(part)) { ASCIIText.isPrintable($0) && !"()\\;".utf8.contains($0) }
  }

  private static func replaced(_ part: String, keeping isKept: (UInt8) -> Bool) -> String {
    let bytes = part.unicodeScalars.map { scalar -> UInt8 in
      guard let byte = UInt8(exactly: scalar.value), isKept(byte) else { return 0x2D }
      return byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func trimmed(_ part: String) -> String {
    let space = UInt8(ascii: " ")
    var bytes = Array(part.utf8)[...].drop { $0 == space }
    while bytes.last == space { bytes = bytes.dropLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
