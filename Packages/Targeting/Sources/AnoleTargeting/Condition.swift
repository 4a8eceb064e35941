// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// A condition ready for matching.
///
/// Every payload is a plain number: texts, lists and patterns lie in ``ConditionTables``, so that
/// reading a condition touches no reference count.
enum Condition {
  /// Unreadable, unknown or unable to match; the index names the reason.
  case never(reason: Int32)
  case customDatum(index: Int, test: CustomDatumTest)
  case device(Device)
  case operatingSystem(OperatingSystem)
  case geolocation(country: TextReference, region: TextReference?, city: TextReference?)
  case applicationVersion(VersionComparison, AppVersion)
  /// Decided when compiled: the SDK does not change.
  case sdkLanguage(isOurs: Bool)
  case visitorCode(TextTest)
  case conversions(goalID: Int64?, VisitScope)
  /// The rules' experiments as a range of ``ConditionTables/experimentIDs``.
  case featureFlag(first: Int32, count: Int32, variationKey: TextReference?, VisitScope)
  case experiment(id: Int64, variationID: Int64?, VisitScope)
  case personalization(id: Int64, VisitScope)
  case exclusiveExperiment(Campaigns, VisitScope)
  case segment(position: Int32)
  case firstVisit(NumberTest)
  case lastVisit(NumberTest)
  case visits(NumberTest)
  case sameDayVisits(NumberTest)
  case newVisitors(isNew: Bool)
  case heatSlice(keyMomentID: Int64, goalID: Int64, bounds: ScoreBounds)
  case browser(BrowserType, version: NumberTest?)
  case cookie(name: TextTest, value: TextTest)
  case pageURL(TextTest)
  case pageTitle(TextTest)
  case previousPage(TextTest)
  case pageViews(NumberTest)
}

/// A position in ``ConditionTables/texts``.
struct TextReference {
  let position: Int32
}

/// The string operators of section 4.2.
enum TextTest {
  case exact(TextReference)
  case contains(TextReference)
  /// A position in ``ConditionTables/patterns``.
  case pattern(Int32)
}

/// The operators of `CUSTOM_DATUM` (section 4.4).
enum CustomDatumTest {
  case text(TextTest)
  case number(NumberTest)
  /// A position in ``ConditionTables/lists``.
  case among(Int32)
  case isUndefined
}

/// The number operators of section 4.2.
struct NumberTest {
  enum Operator {
    case equal, greater, lower
    /// `EQUAL` on custom data: differs by less than ``NumberTest/tolerance``.
    case nearlyEqual
  }

  static let tolerance = 1e-9

  let comparison: Operator
  let value: Double

  func accepts(_ number: Double) -> Bool {
    switch comparison {
    case .equal: number == value
    case .greater: number > value
    case .lower: number < value
    case .nearlyEqual: abs(number - value) < Self.tolerance
    }
  }
}

/// The version operators of section 4.3.
enum VersionComparison {
  case equal, greater, lower

  func accepts(_ version: AppVersion, comparedWith other: AppVersion) -> Bool {
    switch self {
    case .equal: version == other
    case .greater: version > other
    case .lower: version < other
    }
  }
}

/// Which campaigns an `EXCLUSIVE_EXPERIMENT` condition looks at (section 4.6).
enum Campaigns {
  case experiment, personalization, any
}

/// How far back items count (section 4.2).
struct VisitScope {
  let isCurrentVisitOnly: Bool
  /// How many visits count, the current one included.
  let visitCount: Int32
}

/// The inclusive bounds of a `HEAT_SLICE` condition.
struct ScoreBounds {
  let lower: Float64
  let upper: Float64
}

/// What conditions refer to.
struct ConditionTables: Sendable {
  var texts: [MatchText] = []
  var patterns: [Pattern] = []
  var lists: [ValueList] = []
  var experimentIDs: [Int64] = []
  /// Why conditions never match.
  var reasons: [String] = []
  /// The variation key of every split entry, by variation id; filled if a condition needs it.
  var variationKeys: [Int64: MatchText] = [:]
  /// Assignments of this experiment do not count as campaigns.
  var holdoutExperimentID: Int64?
}

/// The elements of an `AMONG_VALUES` condition.
struct ValueList: Sendable {
  /// Up to this many elements are compared one by one, which is quicker than hashing.
  private static let linearLimit = 12

  private let elements: [MatchText]
  private let set: Set<MatchText>

  init(_ elements: [String]) {
    let texts = elements.map(MatchText.init)
    self.elements = texts.count <= Self.linearLimit ? texts : []
    set = texts.count <= Self.linearLimit ? [] : Set(texts)
  }

  func contains(_ text: MatchText) -> Bool {
    guard set.isEmpty else { return set.contains(text) }
    for position in elements.indices where elements[position] == text { return true }
    return false
  }
}
