// SPDX-License-Identifier: Apache-2.0

/// One request as it arrived.
public struct RecordedRequest: Sendable, Hashable {
  /// The number of the request, from 1, in the order in which requests became complete; never reused.
  public let sequence: Int
  /// What it asks for.
  public let route: Route
  /// The method as received.
  public let method: String
  /// The target as received: path and query, not decoded.
  public let target: String
  /// The protocol version, for example `HTTP/1.1`.
  public let version: String
  /// The header fields in their order, repeated ones included.
  public let fields: [HeaderField]
  /// The bytes of the body as received, without the framing of chunks.
  public let body: [UInt8]
  /// The body decoded by `Content-Encoding`; nil where it does not decode.
  public let decodedBody: [UInt8]?
  /// Whether the whole request arrived; false where the client or a fault ended it before.
  public let isComplete: Bool
  /// What a tracking body contains; nil for other routes and bodies that do not decode.
  public let tracking: TrackingReport?
  /// The status of the answer; nil where the connection was closed, kept waiting or answered by raw bytes.
  public let status: Int?
  /// Whether a scripted fault shaped the answer.
  public let isFaulted: Bool

  /// The path, not decoded.
  public var path: String { String(target.prefix { $0 != "?" }) }

  /// The query, not decoded; nil where there is none.
  public var query: String? {
    target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
  }

  /// The decoded parameters of the query, in their order.
  public var parameters: [Parameter] { Query(query ?? "").parameters }

  /// The decoded body as text; bytes that are not UTF-8 are replaced.
  public var text: String { String(decoding: decodedBody ?? body, as: UTF8.self) }

  /// The value of the first header field with a name, in whatever case.
  public func header(_ name: String) -> String? { fields.value(named: name) }
}
