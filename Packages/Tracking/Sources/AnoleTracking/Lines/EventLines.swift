// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// The lines of a tracking body: one event a line, joined by line feeds, none at the end (network
/// specification, sections 3.2 to 3.6).
///
/// A plain value that only grows; encoding allocates nothing but the buffer.
public struct EventLines: Sendable, Hashable {
  private var writer = LineWriter()

  /// How many lines there are.
  public private(set) var count = 0

  /// An empty body.
  ///
  /// - Parameter capacity: how many bytes to reserve; a line has some 110.
  public init(capacity: Int = 0) {
    writer.bytes.reserveCapacity(capacity)
  }

  /// The size of the body so far, in bytes.
  public var byteCount: Int { writer.bytes.count }

  /// The body so far, UTF-8.
  public var bytes: [UInt8] { writer.bytes }

  /// Adds the line of an event.
  ///
  /// - Parameters:
  ///   - event: what to report.
  ///   - nonce: the event's own.
  ///   - identity: whom it is about.
  ///   - userAgent: for the first line of each visitor in a request, if known.
  /// - Returns: false if the event has no line: a page view without URL.
  @discardableResult
  public mutating func append(
    _ event: TrackingEvent, nonce: Nonce, identity: TrackingIdentity, userAgent: String? = nil
  ) -> Bool {
    guard event.hasLine else { return false }
    if count > 0 { writer.literal("\n") }
    count += 1
    writer.line(event, nonce: nonce, identity: identity)
    if let userAgent { writer.filledParameter("&userAgent=", userAgent) }
    return true
  }
}
