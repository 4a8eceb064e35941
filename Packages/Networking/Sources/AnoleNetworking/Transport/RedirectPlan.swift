// SPDX-License-Identifier: Apache-2.0

/// Decides what to ask for next, by the rules for redirects.
///
/// A pure value: the owner sends ``current`` and reports each answer's status and `Location`.
///
/// | status | GET | POST |
/// | --- | --- | --- |
/// | 301, 302, 303 | GET | GET without body |
/// | 307, 308 | GET | POST with the same body |
/// | other, or no `Location` | the answer is final | the answer is final |
///
/// What identifies the sender (``personalNames``) is dropped for good as soon as an address has
/// another scheme, host or port.
struct RedirectPlan {
  enum Step: Equatable {
    /// The answer is the result.
    case final
    /// ``RedirectPlan/current`` has changed and must be sent.
    case send
  }

  /// The greatest number of redirects of one request.
  static let limit = 8

  /// Headers that never go to another origin.
  ///
  /// `Host` is among them since it would name the old one.
  static let personalNames: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "cookie2", "host",
  ]
  private static let bodyNames: Set<String> = [
    "content-type", "content-encoding", "content-language", "content-location",
  ]

  /// What to send now.
  private(set) var current: OutgoingRequest
  private var followed = 0

  init(_ request: OutgoingRequest) {
    current = request
  }

  /// True if an answer with such a head is not the result, so that its body is of no use.
  func isRedirect(status: Int, headers: HTTPHeaders) -> Bool {
    guard current.followsRedirects else { return false }
    return switch status {
    case 301, 302, 303, 307, 308: headers["Location"] != nil
    default: false
    }
  }

  mutating func receive(status: Int, headers: HTTPHeaders) throws(HTTPError) -> Step {
    guard isRedirect(status: status, headers: headers), let location = headers["Location"]
    else { return .final }
    guard followed < Self.limit else {
      throw HTTPError(
        code: .tooManyRedirects, message: "\(current.address.origin): over \(Self.limit) redirects")
    }
    followed += 1
    let target = try current.address.resolving(location)
    if target.origin != current.address.origin {
      remove(Self.personalNames)
    }
    if status != 307, status != 308, current.method == .post {
      current.method = .get
      current.body = nil
      remove(Self.bodyNames)
    }
    current.address = target
    return .send
  }

  private mutating func remove(_ names: Set<String>) {
    current.headers.removeAll { names.contains(ASCIIText.lowercased($0.name)) }
  }
}
