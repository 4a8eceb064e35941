// SPDX-License-Identifier: Apache-2.0

/// The texts by which a server recognises the copy that a client holds.
///
/// They belong to the copy: store them with it, and hand them out only together with it. Without
/// the copy a condition must not be sent, because there is nothing that `304` could confirm.
public struct CacheValidators: Sendable, Hashable {
  /// The text of `Last-Modified`, unchanged; it goes back as `If-Modified-Since`.
  public let lastModified: String?
  /// The text of `ETag`, unchanged; it goes back as `If-None-Match`.
  public let entityTag: String?

  /// Whether there is neither text.
  public var isEmpty: Bool { lastModified == nil && entityTag == nil }

  /// Makes validators; empty texts count as missing.
  public init(lastModified: String?, entityTag: String? = nil) {
    self.lastModified = lastModified.flatMap { $0.isEmpty ? nil : $0 }
    self.entityTag = entityTag.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The validators that an answer carries.
  public init(_ headers: HTTPHeaders) {
    self.init(lastModified: headers["Last-Modified"], entityTag: headers["ETag"])
  }

  /// Adds the conditions to the headers of a request.
  public func add(to headers: inout HTTPHeaders) {
    if let lastModified { headers["If-Modified-Since"] = lastModified }
    if let entityTag { headers["If-None-Match"] = entityTag }
  }
}
