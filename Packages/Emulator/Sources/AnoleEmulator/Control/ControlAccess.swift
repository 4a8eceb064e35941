// SPDX-License-Identifier: Apache-2.0

/// Who may send control requests and see the page.
struct ControlAccess: Sendable, Hashable {
  /// The token that every request must show; nil where only this computer reaches the server.
  let token: String?
  let port: UInt16
  let isSecure: Bool

  /// The shortest token, of characters that nobody guesses.
  static let shortestToken = 16

  /// Whether a text may be a token: long enough, and of characters that a cookie and a URL take.
  static func isToken(_ text: String) -> Bool {
    func isPlain(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "-._~".utf8.contains(byte)
      }
    }
    return text.utf8.count >= shortestToken && text.utf8.count <= 512
      && text.utf8.allSatisfy(isPlain)
  }

  /// Lets a request pass, or answers it.
  ///
  /// - Returns: nil to let it pass, or the answer to one that brings the token in its address.
  /// - Throws: ``ControlError`` for one that may not pass.
  func answer(to head: RequestHead) throws(ControlError) -> Answer? {
    guard let token else {
      try checkLoopback(head)
      return nil
    }
    try checkOrigin(head)
    if head.path == "/", let shown = head.query["token"] {
      guard ConstantTime.areEqual(shown, token) else { throw Self.refusal }
      return welcome(token)
    }
    guard shows(head, token) else { throw Self.refusal }
    return nil
  }

  private static let refusal = ControlError(
    401, "This emulator asks for its token: as bearer token, or open /?token=… once in a browser.")

  /// Keeps the token in a cookie and takes it out of the address.
  private func welcome(_ token: String) -> Answer {
    let attributes = "Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    return .empty(
      303,
      fields: [
        HeaderField("Location", "/"),
        HeaderField("Set-Cookie", "\(cookieName)=\(token); \(attributes)"),
        HeaderField("Cache-Control", "no-store"), HeaderField("Referrer-Policy", "no-referrer"),
      ])
  }

  /// Cookies know no ports: two emulators on one host need two.
  private var cookieName: String { "anole-token-\(port)" }

  private func shows(_ head: RequestHead, _ token: String) -> Bool {
    let bearer = head.fields.value(named: "Authorization")
      .map { ConstantTime.areEqual($0, "Bearer \(token)") }
    if bearer == true { return true }
    let cookies = head.fields.filter { $0.isNamed("Cookie") }.flatMap {
      $0.value.split(separator: ";").map { $0.drop { $0 == " " } }
    }
    return cookies.contains { ConstantTime.areEqual(String($0), "\(cookieName)=\(token)") }
  }

  // MARK: - Foreign pages

  /// Refuses what a page of a foreign site sends through the user's browser, or as another host.
  private func checkLoopback(_ head: RequestHead) throws(ControlError) {
    if let origin = head.fields.value(named: "Origin"),
      !Self.isLoopback(origin.drop { $0 != "/" })
    {
      throw ControlError(403, "Pages of other sites may not control the emulator.")
    }
    if let host = head.fields.value(named: "Host"), !Self.isLoopback(Substring(host)) {
      throw ControlError(403, "The emulator is controlled through a loopback address only.")
    }
  }

  /// Refuses what a page of another origin sends; the token is the browser's, not the page's.
  private func checkOrigin(_ head: RequestHead) throws(ControlError) {
    guard let origin = head.fields.value(named: "Origin") else { return }
    let own = "\(isSecure ? "https" : "http")://\(head.fields.value(named: "Host") ?? "")"
    guard origin.lowercased() == own.lowercased() else {
      throw ControlError(403, "Pages of other sites may not control the emulator.")
    }
  }

  private static func isLoopback(_ text: Substring) -> Bool {
    let host = text.drop { $0 == "/" }
    return ["127.0.0.1", "localhost", "[::1]"].contains {
      host == $0
        || (host.hasPrefix($0 + ":") && host.dropFirst($0.count + 1).allSatisfy(\.isNumber))
    }
  }
}
