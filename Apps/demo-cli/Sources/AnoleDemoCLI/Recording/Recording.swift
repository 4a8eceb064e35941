// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels

/// Requests and what a server answered, in the order of arrival.
struct Recording: Sendable, Hashable {
  /// One request and its answer.
  struct Exchange: Sendable, Hashable {
    let route: Route
    let request: Request
    var answer: Answer
  }

  struct Request: Sendable, Hashable {
    let method: String
    let path: String
    /// As sent, without question mark; empty for none.
    let query: String
    let fields: [Field]
    /// Decoded by `Content-Encoding`.
    let body: [UInt8]
  }

  struct Answer: Sendable, Hashable {
    /// What follows the head.
    enum Body: Sendable, Hashable {
      case bytes([UInt8])
      /// An event stream: what came at a time, and whether the server ended it.
      case stream([String], isEnded: Bool)
    }

    /// nil where there was no answer.
    var status: Int?
    var fields: [Field] = []
    var body = Body.bytes([])
    /// How long the server waited, in milliseconds.
    var delay = 0
  }

  /// A header field.
  struct Field: Sendable, Hashable {
    let name: String
    let value: String
  }

  var siteCode = ""
  var exchanges: [Exchange] = []
}

extension Recording.Exchange {
  /// The request in one line.
  var title: String {
    let query = request.query.isEmpty ? "" : "?\(request.query)"
    return "\(request.method) \(request.path)\(query)"
  }
}
