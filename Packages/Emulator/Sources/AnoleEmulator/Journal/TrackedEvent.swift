// SPDX-License-Identifier: Apache-2.0

/// One line of a tracking body.
public struct TrackedEvent: Sendable, Hashable {
  /// The line as received.
  public let line: String
  /// Its decoded parameters, in their order.
  public let parameters: [Parameter]

  init(line: String, query: Query) {
    self.line = line
    parameters = query.parameters
  }

  /// The value of the first parameter with a name.
  public subscript(name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  /// The nonce, if there is one.
  public var nonce: String? { self["nonce"] }

  /// The event type, if there is one.
  public var eventType: String? { self["eventType"] }

  /// Who the line is about: the visitor code, else the mapping value.
  public var visitor: String? { self["visitorCode"] ?? self["mappingValue"] }

  /// The place of the event's kind among one visitor's lines; nil for a kind without a place.
  var rank: Int? {
    switch eventType {
    case "staticData": self["visitNumber"] == nil ? 0 : 2
    case "geolocation": 1
    case "customData": 3
    case "page": 4
    case "experiment": 5
    case "targetingSegment": 6
    case "conversion": 7
    default: nil
    }
  }
}

/// Something about a tracking body that the protocol does not allow.
public struct TrackingFinding: Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, coarse enough to switch over.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    private enum Name: String {
      case duplicateNonce, malformedNonce, malformedLine, unknownEventType, missingVisitor
      case order, activityNotAlone
    }
    private let name: Name

    /// The nonce occurs twice in the body or was accepted with an earlier request.
    public static let duplicateNonce = Kind(name: .duplicateNonce)
    /// The nonce is missing or not 16 characters of `0-9A-F`.
    public static let malformedNonce = Kind(name: .malformedNonce)
    /// The line is empty, not UTF-8 or not percent-encoded correctly.
    public static let malformedLine = Kind(name: .malformedLine)
    /// The event type is missing or none of the documented ones.
    public static let unknownEventType = Kind(name: .unknownEventType)
    /// Neither `visitorCode` nor `mappingValue` says whom the line is about.
    public static let missingVisitor = Kind(name: .missingVisitor)
    /// The kind comes after a kind that it should precede among the visitor's lines.
    public static let order = Kind(name: .order)
    /// An activity event although the visitor has other lines.
    public static let activityNotAlone = Kind(name: .activityNotAlone)

    /// The kind's name.
    public var description: String { name.rawValue }
  }

  /// What is wrong.
  public let kind: Kind
  /// The number of the line in its body, from 1.
  public let line: Int
  /// What was found, as a sentence.
  public let message: String

  /// Line, kind and message.
  public var description: String { "line \(line): \(kind): \(message)" }
}

/// What a tracking body contains.
public struct TrackingReport: Sendable, Hashable {
  /// The lines, in their order.
  public let events: [TrackedEvent]
  /// What the protocol does not allow, by line.
  public let findings: [TrackingFinding]
}
