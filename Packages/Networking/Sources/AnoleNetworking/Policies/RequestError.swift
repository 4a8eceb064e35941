// SPDX-License-Identifier: Apache-2.0

/// Why a request failed after all its attempts.
public enum RequestError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The last answer has a status that is no success.
  case refused(HTTPResponse)
  /// The last attempt got no answer.
  case failed(HTTPError)
  /// The task was cancelled.
  case cancelled

  /// A sentence for a log line; without address and bodies, which may be personal.
  public var description: String {
    switch self {
    case .refused(let response): "the server answered with status \(response.status)"
    case .failed(let error): "no answer: \(error)"
    case .cancelled: "the request was cancelled"
    }
  }
}
