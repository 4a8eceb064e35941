// SPDX-License-Identifier: Apache-2.0

/// The first part of a request: everything before its body.
struct RequestHead: Sendable {
  let method: String
  /// The target as received.
  let target: String
  let version: String
  let fields: [HeaderField]

  var path: String {
    let path = local.prefix { $0 != "?" }
    return path.isEmpty ? "/" : String(path)
  }

  var query: Query {
    guard let mark = local.firstIndex(of: "?") else { return Query("") }
    return Query(local[local.index(after: mark)...])
  }

  /// The target without the scheme and host that clients write to a proxy, and may write to all servers.
  private var local: Substring {
    guard target.hasPrefix("http://") || target.hasPrefix("https://"),
      let colon = target.firstIndex(of: ":")
    else { return target[...] }
    return target[colon...].dropFirst(3).drop { $0 != "/" && $0 != "?" }
  }

  /// Whether the request is for the page for people; what is meant for a proxy is not.
  var isPage: Bool { target.hasPrefix("/") && ControlPage.isPage(path) }

  /// Whether the request is for the emulator itself, not for the platform that it plays.
  var isControl: Bool {
    let path = path
    return path == ControlEndpoint.prefix || path.hasPrefix(ControlEndpoint.prefix + "/")
      || isPage
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
