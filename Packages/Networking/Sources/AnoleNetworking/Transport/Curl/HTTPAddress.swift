// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  import CAnoleCurl

  /// An absolute `http` or `https` address, as libcurl's own parser reads it: what is checked here is
  /// what is connected to.
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
      let flags = UInt32(CURLU_PATH_AS_IS | CURLU_DISALLOW_USER)
      guard let parts = Parts(), parts.set(text, flags: flags) else {
        throw HTTPError(
          code: .invalidRequest, message: "the URL is malformed or of no supported scheme")
      }
      try self.init(reading: parts)
    }

    /// The address that a `Location` leads to from here.
    func resolving(_ location: String) throws(HTTPError) -> HTTPAddress {
      guard let parts = Parts(), parts.set(text, flags: UInt32(CURLU_PATH_AS_IS)),
        parts.set(location, flags: UInt32(CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME))
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

    private init(reading parts: borrowing Parts) throws(HTTPError) {
      guard let scheme = parts.get(CURLUPART_SCHEME), scheme == "http" || scheme == "https",
        let host = parts.get(CURLUPART_HOST), !host.isEmpty,
        let port = parts.get(CURLUPART_PORT, flags: UInt32(CURLU_DEFAULT_PORT)),
        parts.clear(CURLUPART_USER), parts.clear(CURLUPART_PASSWORD),
        parts.clear(CURLUPART_FRAGMENT), let text = parts.get(CURLUPART_URL)
      else {
        throw HTTPError(code: .invalidRequest, message: "the URL is neither http nor https")
      }
      origin = "\(scheme)://\(ASCIIText.lowercased(host)):\(port)"
      isSecure = scheme == "https"
      self.text = text
    }

    /// A handle of libcurl's parser.
    private struct Parts: ~Copyable {
      private let handle: OpaquePointer

      init?() {
        guard let handle = curl_url() else { return nil }
        self.handle = handle
      }

      deinit {
        curl_url_cleanup(handle)
      }

      func set(_ url: String, flags: UInt32) -> Bool {
        curl_url_set(handle, CURLUPART_URL, url, flags) == CURLUE_OK
      }

      func clear(_ part: CURLUPart) -> Bool {
        curl_url_set(handle, part, nil, 0) == CURLUE_OK
      }

      func get(_ part: CURLUPart, flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
      }
    }
  }

#endif
