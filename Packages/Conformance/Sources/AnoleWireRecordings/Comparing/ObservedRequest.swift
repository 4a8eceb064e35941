// SPDX-License-Identifier: Apache-2.0

/// A request as the client built it, before it was sent anywhere.
package struct ObservedRequest: Sendable, Hashable {
  package let method: String
  package let scheme: String
  package let host: String
  /// The port; nil for the scheme's own.
  package let port: Int?
  package let path: String
  package let query: String
  package let headers: [RecordedExchange.Header]
  /// The body before compression.
  package let body: [UInt8]
  /// When it was sent, since the start of the scenario.
  package let moment: Duration

  /// Takes a request apart.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - url: the absolute address.
  ///   - headers: the headers that the client has set.
  ///   - body: the body before compression.
  ///   - moment: when it was sent.
  package init(
    method: String, url: String, headers: [RecordedExchange.Header], body: [UInt8],
    moment: Duration
  ) throws(WireFormatError) {
    guard let colon = url.firstRange(of: "://") else {
      throw WireFormatError("\(url) is no address")
    }
    scheme = String(url[..<colon.lowerBound])
    let rest = url[colon.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
    host = String(parts.first ?? "")
    port = parts.count == 2 ? Int(parts[1]) : nil
    guard !host.isEmpty, parts.count <= 2, parts.count == 1 || port != nil else {
      throw WireFormatError("\(url) has no host")
    }
    let target = rest[authority.endIndex...]
    path = String(target.prefix { $0 != "?" })
    query = target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) } ?? ""
    self.method = method
    self.headers = headers
    self.body = body
    self.moment = moment
  }

  /// The endpoint; nil for a path that the platform does not have.
  package var endpoint: WireEndpoint? { WireEndpoint(path: path) }

  /// The text of `User-Agent`.
  package var userAgent: String? { value(of: "User-Agent") }

  /// The value of a header, by its name in whatever case.
  package func value(of name: String) -> String? {
    headers.last { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The body as lines.
  package func lines() throws(WireFormatError) -> [TrackingLine] {
    guard let text = String(validating: body, as: UTF8.self) else {
      throw WireFormatError("the body is not UTF-8")
    }
    var lines: [TrackingLine] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append(try TrackingLine(parsing: String(line)))
    }
    return lines
  }

  /// What it asks for, for a message.
  package var label: String { "\(method) \(path)" + (query.isEmpty ? "" : "?\(query)") }
}
