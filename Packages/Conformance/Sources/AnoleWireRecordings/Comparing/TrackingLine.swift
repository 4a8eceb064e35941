// SPDX-License-Identifier: Apache-2.0

/// One line of a tracking body.
package struct TrackingLine: Sendable, Hashable {
  /// Whom a line is about.
  package struct Visitor: Sendable, Hashable, CustomStringConvertible {
    /// `visitorCode` or `mappingValue`.
    package let parameter: String
    package let value: String

    package var description: String { "\(parameter)=\(value)" }
  }

  /// The kinds in the order in which the lines of one visitor come.
  package enum Kind: Int, Sendable, Hashable, Comparable {
    case staticData, geolocation, visits, customData, page, experiment, segment, conversion
    /// Has no place of its own.
    case activity

    package static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  /// The line as written.
  package let text: String
  package let kind: Kind
  package let visitor: Visitor
  package let nonce: String
  /// The user agent on a visitor's first line.
  package let userAgent: String?
  /// Everything else, in its order.
  package let parameters: [QueryParameters.Parameter]

  /// Reads a line.
  ///
  /// - Throws: ``WireFormatError`` if it is no query string, repeats a parameter, or lacks nonce, event
  ///   type or visitor.
  package init(parsing text: String) throws(WireFormatError) {
    let query: QueryParameters
    do throws(WireFormatError) {
      query = try QueryParameters(parsing: text)
    } catch {
      throw WireFormatError("the line \"\(text.prefix(200))\": \(error)")
    }
    let names = query.parameters.map(\.name)
    if let repeated = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw WireFormatError("the line \"\(text.prefix(200))\" has \"\(repeated)\" twice")
    }
    guard let nonce = query["nonce"] else {
      throw WireFormatError("the line \"\(text.prefix(200))\" has no nonce")
    }
    let subjects = ["visitorCode", "mappingValue"].filter(names.contains)
    guard subjects.count == 1, let subject = query[subjects[0]] else {
      throw WireFormatError(
        "the line \"\(text.prefix(200))\" needs one of visitorCode and mappingValue")
    }
    self.text = text
    self.nonce = nonce
    kind = try Self.kind(of: query, in: text)
    visitor = Visitor(parameter: subjects[0], value: subject)
    userAgent = query["userAgent"]
    let others = ["nonce", "userAgent", "visitorCode", "mappingValue"]
    parameters = query.parameters.filter { !others.contains($0.name) }
  }

  /// The value of a parameter, apart from nonce, visitor and user agent.
  package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// Whether the mobile client may send the line beyond what was recorded: activity, the detected
  /// device and system, the visit.
  package var isAllowedExtra: Bool {
    switch kind {
    case .activity, .visits: true
    case .staticData: self["deviceType"] != nil || self["os"] != nil
    default: false
    }
  }

  private static func kind(
    of query: QueryParameters, in text: String
  ) throws(WireFormatError) -> Kind {
    switch query["eventType"] {
    case "staticData": return query["visitNumber"] == nil ? .staticData : .visits
    case "geolocation": return .geolocation
    case "customData": return .customData
    case "page": return .page
    case "experiment": return .experiment
    case "targetingSegment": return .segment
    case "conversion": return .conversion
    case "activity": return .activity
    default:
      throw WireFormatError(
        "the line \"\(text.prefix(200))\" has the event type "
          + (query["eventType"].map { "\"\($0)\"" } ?? "none"))
    }
  }
}
