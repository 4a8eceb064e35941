// SPDX-License-Identifier: Apache-2.0

/// The first part of a request: everything before its body.
struct RequestHead: Sendable {
  let method: String
  /// The target as received.
  let target: String
  let version: String
  let fields: [HeaderField]

  var path: String { String(target.prefix { $0 != "?" }) }

  var query: Query {
    guard let mark = target.firstIndex(of: "?") else { return Query("") }
    return Query(target[target.index(after: mark)...])
  }

  var isControl: Bool {
    path == ControlEndpoint.prefix || path.hasPrefix(ControlEndpoint.prefix + "/")
  }
}

/// A request as far as it has arrived.
struct Request: Sendable {
  /// Names the exchange as long as it lasts.
  let id: Int
  let head: RequestHead
  var body: [UInt8] = []
  /// Whether the body was larger than the limit; the rest was not kept.
  var isTooLarge = false
  /// Whether the whole body has arrived.
  var isComplete = true
}
