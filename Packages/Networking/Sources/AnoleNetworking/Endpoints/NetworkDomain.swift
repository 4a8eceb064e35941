// SPDX-License-Identifier: Apache-2.0

/// A domain of one's own through which all requests go: `networkDomain` of the configuration.
public struct NetworkDomain: Sendable, Hashable {
  /// What reading a configured text gave.
  public struct Reading: Sendable, Hashable {
    /// The domain; nil if none is set or the text is none.
    public let domain: NetworkDomain?
    /// What to tell the developer; nil if all is well.
    public let diagnostic: Diagnostic?
  }

  /// What was odd about a configured text.
  public enum Diagnostic: Sendable, Hashable, CustomStringConvertible {
    /// A warning: the scheme in front was removed.
    case schemeRemoved(scheme: String)
    /// An error: the text is no domain; the usual hosts stay in use.
    case invalid(text: String)

    /// A sentence for a log line.
    public var description: String {
      switch self {
      case .schemeRemoved(let scheme):
        "networkDomain: \"\(scheme)\" was removed; give the domain alone"
      case .invalid(let text):
        "networkDomain: \"\(text)\" is not a domain and is not used; "
          + "give labels of letters, digits and hyphens, without port and path"
      }
    }
  }

  /// The most labels that a domain has.
  static let mostLabels = 127

  /// The domain in lower case, without scheme and without dots around it.
  public let name: String

  private init(name: String) { self.name = name }

  /// Reads a configured text: lower-cases it (ASCII only), removes one `http://` or `https://` and
  /// the dots around, and accepts `localhost` or 2 to 127 labels.
  public static func read(_ text: String?) -> Reading {
    guard let text, !text.isEmpty else { return Reading(domain: nil, diagnostic: nil) }
    // Bytes, not characters: a mark that combines with a dot or a slash must not hide it.
    var bytes = Array(ASCIIText.lowercased(text).utf8)[...]
    let scheme = ["http://", "https://"].first { bytes.starts(with: $0.utf8) }
    if let scheme { bytes = bytes.dropFirst(scheme.utf8.count) }
    bytes = bytes.drop { $0 == UInt8(ascii: ".") }
    while bytes.last == UInt8(ascii: ".") { bytes = bytes.dropLast() }
    let name = String(decoding: bytes, as: UTF8.self)
    guard name == "localhost" || HostName.isValid(name, labels: 2...mostLabels) else {
      return Reading(domain: nil, diagnostic: .invalid(text: text))
    }
    return Reading(
      domain: NetworkDomain(name: name),
      diagnostic: scheme.map { .schemeRemoved(scheme: $0) })
  }
}
