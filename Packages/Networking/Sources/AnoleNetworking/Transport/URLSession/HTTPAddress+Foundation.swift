// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)

  import Foundation

  /// An absolute `http` or `https` address.
  struct HTTPAddress: Sendable, Hashable {
    /// Scheme, host and port; the port is always written.
    let origin: String
    /// The whole address without fragment and user.
    let text: String
    /// True for `https`.
    let isSecure: Bool

    /// Reads an address that the caller wrote: percent-encoded, without user and password.
    init(_ text: String) throws(HTTPError) {
      guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
        throw HTTPError(
          code: .invalidRequest, message: "the URL has a character that is not percent-encoded")
      }
      guard let parts = URLComponents(string: text), parts.user == nil, parts.password == nil else {
        throw HTTPError(code: .invalidRequest, message: "the URL is malformed")
      }
      try self.init(reading: parts)
    }

    /// The address that a `Location` leads to from here.
    func resolving(_ location: String) throws(HTTPError) -> HTTPAddress {
      let encoded = location.replacingOccurrences(of: " ", with: "%20")
      guard let base = URL(string: text), let url = URL(string: encoded, relativeTo: base),
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
      else {
        throw HTTPError(
          code: .malformedAnswer, message: "\(origin): the redirect leads to a malformed URL")
      }
      do {
        return try HTTPAddress(reading: parts)
      } catch {
        throw HTTPError(
          code: .malformedAnswer, message: "\(origin): the redirect leads to a scheme but http(s)")
      }
    }

    private init(reading parts: URLComponents) throws(HTTPError) {
      var parts = parts
      parts.user = nil
      parts.password = nil
      parts.fragment = nil
      guard let scheme = parts.scheme.map(ASCIIText.lowercased),
        scheme == "http" || scheme == "https",
        let host = parts.host, !host.isEmpty, let text = parts.string
      else {
        throw HTTPError(code: .invalidRequest, message: "the URL is neither http nor https")
      }
      let port = parts.port ?? (scheme == "https" ? 443 : 80)
      origin = "\(scheme)://\(ASCIIText.lowercased(host)):\(port)"
      isSecure = scheme == "https"
      self.text = text
    }
  }

#endif
