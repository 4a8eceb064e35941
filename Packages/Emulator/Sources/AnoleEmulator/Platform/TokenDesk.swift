// SPDX-License-Identifier: Apache-2.0

/// Issues access tokens and knows which are good.
struct TokenDesk: Sendable {
  /// How long a token lives unless said otherwise, in seconds.
  static let defaultLifetime = 7200
  /// How many tokens are remembered; then the oldest are forgotten.
  static let maximumTokens = 10_000

  private struct Token: Sendable {
    let text: String
    let end: Duration?
  }

  /// Client ids and their secrets.
  var credentials: [String: String] = [:]
  var lifetime = defaultLifetime
  /// Whether a request without token is refused.
  var isRequired = false
  private var tokens: [Token] = []
  private var issued = 0

  /// Makes a text a good token that does not end.
  mutating func accept(_ text: String) { append(Token(text: text, end: nil)) }

  mutating func revokeAll() { tokens = [] }

  mutating func issue(to request: Request, now: Duration) -> Answer {
    guard let user = basicUser(request.head), credentials[user.id] == user.secret else {
      return .json(Array(#"{"error":"invalid_client"}"#.utf8), status: 401)
    }
    let form = Query(String(decoding: request.body, as: UTF8.self))
    guard form["grant_type"] == "client_credentials" else {
      return .json(Array(#"{"error":"unsupported_grant_type"}"#.utf8), status: 400)
    }
    issued += 1
    let text = "emulator-token-\(issued)"
    append(Token(text: text, end: now + .seconds(lifetime)))
    let body =
      #"{"access_token":"\#(text)","expires_in":\#(lifetime),"token_type":"bearer"}"#
    return .json(Array(body.utf8))
  }

  /// The refusal of a request whose token is not good, or nil.
  ///
  /// A token that is shown must be good, even where none is required.
  func refusal(of head: RequestHead, now: Duration) -> Answer? {
    guard let field = head.fields.value(named: "Authorization") else {
      return isRequired ? .sentence(401, "This request needs an access token.") : nil
    }
    let isGood = tokens.contains {
      field == "Bearer \($0.text)" && ($0.end.map { now < $0 } ?? true)
    }
    return isGood ? nil : .sentence(401, "The access token is unknown, revoked or expired.")
  }

  private mutating func append(_ token: Token) {
    if tokens.count >= Self.maximumTokens { tokens.removeFirst() }
    tokens.append(token)
  }

  private func basicUser(_ head: RequestHead) -> (id: String, secret: String)? {
    guard let field = head.fields.value(named: "Authorization"), field.hasPrefix("Basic "),
      let bytes = Base64.decode(field.dropFirst(6)),
      let text = String(validating: bytes, as: UTF8.self),
      let colon = text.firstIndex(of: ":")
    else { return nil }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }
}
