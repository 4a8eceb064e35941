// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The text by which servers know the program: `name/version (device; system version)`.
///
/// Servers that filter bots refuse requests without one, and the names of HTTP libraries.
public struct HTTPUserAgent: Sendable, Hashable, CustomStringConvertible {
  /// The text, of printable ASCII.
  public let description: String

  /// Takes a text as it is, but for characters that are not printable ASCII: they are left out.
  ///
  /// - Parameter text: The text. If nothing is left of it, the one of ``standard(name:version:)``.
  public init(_ text: String) {
    let printable = text.unicodeScalars.filter { (0x20...0x7e).contains($0.value) }
    let bytes = printable.map { UInt8(truncatingIfNeeded: $0.value) }
    let trimmed = bytes.drop { $0 == 0x20 }
    let result = String(decoding: trimmed, as: UTF8.self)
    description = result.isEmpty ? Self.standard().description : result
  }

  private init(verbatim: String) {
    description = verbatim
  }

  /// The usual text for a program: `name/version (x86_64; Linux 6.1)`.
  ///
  /// - Parameters:
  ///   - name: The program's name; that of the process by default. Spaces become hyphens, other
  ///     characters that a product name may not have are left out.
  ///   - version: The program's version; nil leaves it out, since a process does not know it.
  public static func standard(name: String? = nil, version: String? = nil) -> HTTPUserAgent {
    var product = token(name ?? processName)
    if product.isEmpty { product = "program" }
    let number = token(version ?? "")
    if !number.isEmpty { product += "/" + number }
    return HTTPUserAgent(verbatim: "\(product) (\(platform))")
  }

  private static var processName: String {
    let path = CommandLine.arguments.first ?? ""
    return path.split(separator: "/").last.map { String($0) } ?? ""
  }

  private static var platform: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown" }
    let machine = withUnsafeBytes(of: names.machine) { text($0) }
    let system = withUnsafeBytes(of: names.sysname) { text($0) }
    let release = withUnsafeBytes(of: names.release) { text($0) }
    // Only "6.1" of "6.1.0-18-amd64": the rest tells a server more than it needs.
    let number = release.split(separator: ".").prefix(2).joined(separator: ".")
    return "\(token(machine)); \(token(system)) \(token(number))"
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func token(_ text: String) -> String {
    let bytes = text.utf8.compactMap { byte -> UInt8? in
      if byte == UInt8(ascii: " ") { return UInt8(ascii: "-") }
      return FieldSyntax.isTokenByte(byte) ? byte : nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
