// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// A condition ready for matching.
///
/// A case and at most one small number: what the condition asks for lies in the tables of
/// ``ConditionTables``, each test in the table of its type. So a condition fits one word, and
/// reading it touches no reference count.
enum Condition {
  /// Unreadable, unknown or unable to match; a position in ``ConditionTables/reasons``.
  case never(Int32)
  /// A position in ``ConditionTables/customDatumTests``.
  case customDatum(Int32)
  case device(Device)
  case operatingSystem(OperatingSystem)
  /// A position in ``ConditionTables/placeTests``.
  case geolocation(Int32)
  /// A position in ``ConditionTables/versionTests``.
  case applicationVersion(Int32)
  /// Decided when compiled: the SDK does not change.
  case sdkLanguage(isOurs: Bool)
  /// Positions in ``ConditionTables/textTests``.
  case visitorCode(Int32)
  case pageURL(Int32)
  case pageTitle(Int32)
  case previousPage(Int32)
  /// Two positions in ``ConditionTables/textTests``: the name's, and behind it the value's.
  case cookie(Int32)
  /// Positions in ``ConditionTables/campaignTests``.
  case conversions(Int32)
  case featureFlag(Int32)
  case experiment(Int32)
  case personalization(Int32)
  case exclusiveExperiment(Int32)
  /// A position among the segments.
  case segment(Int32)
  /// Positions in ``ConditionTables/numberTests``.
  case firstVisit(Int32)
  case lastVisit(Int32)
  case visits(Int32)
  case sameDayVisits(Int32)
  case pageViews(Int32)
  case newVisitors(isNew: Bool)
  /// A position in ``ConditionTables/heatSlices``.
  case heatSlice(Int32)
  /// A position in ``ConditionTables/browserTests``.
  case browser(Int32)
}

/// A string operator with its operand (section 4.2).
struct TextTest {
  enum Operator {
    case exact, contains
    /// The operand is a position in ``ConditionTables/patterns``; otherwise in `texts`.
    case pattern
  }

  let comparison: Operator
  let operand: Int32
}

/// A test of `CUSTOM_DATUM` (section 4.4).
struct CustomDatumTest {
  enum Operator {
    case text(TextTest.Operator)
    case number
    /// The operand is a position in ``ConditionTables/lists``.
    case among
    case isUndefined
  }

  let index: Int
  let comparison: Operator
  /// What ``comparison`` compares with, unless it is a number.
  let operand: Int32
  let number: NumberTest
}

/// A number operator with its operand (section 4.2).
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

/// A version operator with its operand (section 4.3).
struct VersionTest {
  enum Operator {
    case equal, greater, lower
  }

  let comparison: Operator
  let version: AppVersion

  func accepts(_ visitors: AppVersion) -> Bool {
    switch comparison {
    case .equal: visitors == version
    case .greater: visitors > version
    case .lower: visitors < version
    }
  }
}

/// The levels of a `GEOLOCATION` condition, in lower case; positions in ``ConditionTables/texts``.
struct PlaceTest {
  let country: Int32
  let region: Int32?
  let city: Int32?
}

/// A condition on conversions, assignments or personalizations.
struct CampaignTest {
  /// Which campaigns an `EXCLUSIVE_EXPERIMENT` condition looks at (section 4.6).
  enum Kind {
    case experiment, personalization, any
  }

  /// The goal, experiment or personalization; nil for any.
  var id: Int64?
  /// The variation of an experiment; nil for any.
  var variationID: Int64?
  /// The experiments of a flag's rules: a range of ``ConditionTables/experimentIDs``.
  var experiments: Range<Int32> = 0..<0
  /// The variation key of a flag; a position in ``ConditionTables/texts``; nil for any.
  var variationKey: Int32?
  var kind = Kind.any
  let scope: VisitScope
}

/// How far back items count (section 4.2).
struct VisitScope {
  let isCurrentVisitOnly: Bool
  /// How many visits count, the current one included.
  let visitCount: Int
}

/// A `HEAT_SLICE` condition: a score and its inclusive bounds.
struct HeatSlice {
  let keyMomentID: Int64
  let goalID: Int64
  let lower: Double
  let upper: Double
}

/// A `BROWSER` condition.
struct BrowserTest {
  let type: BrowserType
  let version: NumberTest?
}

/// What conditions refer to.
struct ConditionTables: Sendable {
  var texts: [MatchText] = []
  var patterns: [Pattern] = []
  var lists: [ValueList] = []
  var customDatumTests: [CustomDatumTest] = []
  var placeTests: [PlaceTest] = []
  var versionTests: [VersionTest] = []
  var textTests: [TextTest] = []
  var campaignTests: [CampaignTest] = []
  var numberTests: [NumberTest] = []
  var heatSlices: [HeatSlice] = []
  var browserTests: [BrowserTest] = []
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
    return elements.withUnsafeBufferPointer { elements in
      elements.indices.contains { elements[$0] == text }
    }
  }
}
