// SPDX-License-Identifier: Apache-2.0

/// One recorded request and the answer that it got.
package struct RecordedExchange: Sendable, Hashable {
  /// A header as recorded; the value may hold placeholders.
  package struct Header: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What the request carried.
  package enum Body: Sendable, Hashable {
    case none
    case text(String)
    /// Lines of a tracking body.
    case lines([TrackingLine])
    /// A tracking body too large to be recorded: the visitors of its lines.
    case summary(lines: Int, visitors: [String])
  }

  /// The request as the vendor's SDK built it.
  package struct Request: Sendable, Hashable {
    package let method: String
    package let scheme: String
    package let host: String
    /// The port; nil for the scheme's own.
    package let port: Int?
    package let path: String
    /// The query in raw form, without question mark.
    package var query: String
    package let headers: [Header]
    package var body: Body
  }

  /// What the server did.
  package struct Answer: Sendable, Hashable {
    /// The status; nil where the server closed the connection without an answer.
    package let status: Int?
    package let headers: [Header]
    package let contentType: String?
    package let body: [UInt8]
    package let delayMilliseconds: Int
  }

  /// The place in the order of arrival, from 0.
  package let sequence: Int
  package let endpoint: WireEndpoint
  package var request: Request
  package let answer: Answer
  /// The time since the request before to the same endpoint, where it was recorded.
  package let millisecondsAfterPrevious: Int?
}

extension RecordedExchange.Request {
  /// The tracking lines; nil for other bodies.
  package var lines: [TrackingLine]? {
    if case .lines(let lines) = body { lines } else { nil }
  }
}
