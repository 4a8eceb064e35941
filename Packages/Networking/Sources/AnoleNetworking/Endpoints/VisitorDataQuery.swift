// SPDX-License-Identifier: Apache-2.0

/// Which data of a visitor are asked for.
public struct VisitorDataQuery: Sendable, Hashable {
  /// A part of the visitor's data that has a parameter of its own.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    /// Likelihood to convert.
    case keyMoments = "kcs"
    /// The visit under way.
    case currentVisit
    /// Custom data.
    case customData
    /// Conversions.
    case conversions = "conversion"
    /// Places.
    case geolocation
    /// Experiments.
    case experiments = "experiment"
    /// Page views.
    case pages = "page"
    /// Personalizations.
    case personalizations = "personalization"
    /// Scores of contextual bandits.
    case banditScores = "cbs"
  }

  /// The numbers of former visits that the platform accepts.
  public static let previousVisitRange = 1...25

  /// The visitor code, or the user's own identifier.
  public var visitorCode: String
  /// Whether ``visitorCode`` is the user's own identifier, which goes out as `mappingValue`.
  public var isUniqueIdentifier: Bool
  /// The number of former visits.
  public var previousVisitCount: Int
  /// The parts.
  public var parts: Set<Part>

  /// Makes a query; by default of the current visit and custom data, and one former visit.
  ///
  /// `previousVisitCount` is clamped to ``previousVisitRange``.
  public init(
    visitorCode: String, isUniqueIdentifier: Bool = false, previousVisitCount: Int = 1,
    parts: Set<Part> = [.currentVisit, .customData]
  ) {
    self.visitorCode = visitorCode
    self.isUniqueIdentifier = isUniqueIdentifier
    let range = Self.previousVisitRange
    self.previousVisitCount = min(max(previousVisitCount, range.lowerBound), range.upperBound)
    self.parts = parts
  }

  /// The query for a site.
  func text(siteCode: String) -> String {
    var query = QueryText()
    query.append("siteCode", siteCode)
    query.append(isUniqueIdentifier ? "mappingValue" : "visitorCode", visitorCode)
    query.append("maxNumberPreviousVisits", Int64(previousVisitCount))
    query.append("version", "0")
    query.append("staticData", flag: true)
    for part in Part.allCases { query.append(part.rawValue, flag: parts.contains(part)) }
    return query.text
  }
}
