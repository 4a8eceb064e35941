// SPDX-License-Identifier: Apache-2.0

/// What is known of a visitor apart from assignments (section 5.1).
///
/// A visitor of whom nothing is known needs none.
public struct VisitorProfile: Sendable, Hashable {
  /// Custom data, one per index, in the order of their first addition.
  public internal(set) var customData: [CustomDatum] = []
  /// The device.
  public internal(set) var device: Device?
  /// The operating system.
  public internal(set) var operatingSystem: OperatingSystem?
  /// The place.
  public internal(set) var geolocation: Geolocation? {
    didSet { place = FoldedPlace(geolocation) }
  }
  /// The place in lower case, ready for comparison.
  public private(set) var place = FoldedPlace(nil)
  /// The application's version as text.
  public internal(set) var applicationVersion: String?
  /// The application's version, read; nil if it is unreadable.
  public internal(set) var parsedApplicationVersion: AppVersion?
  /// The browser.
  public internal(set) var browser: Browser?
  /// The cookies.
  public internal(set) var cookies: [Cookie] = []
  /// Page views, one per URL.
  public internal(set) var pageViews: [PageView] = []
  /// Conversions: all unsent ones, and of the sent ones the latest of each goal.
  public internal(set) var conversions: [Conversion] = []
  /// Personalizations, one per id.
  public internal(set) var personalizations: [Personalization] = []
  /// Segments found by an evaluation of audiences, one per id.
  public internal(set) var targetedSegments: [TargetedSegment] = []
  /// Previous visits, most recent first, at most ``Visit/limit``; nil if the history is unknown.
  public internal(set) var previousVisits: [Visit]?
  /// How many visits came before the current one, which may be more than are kept.
  public internal(set) var previousVisitCount = 0
  /// When something last happened in the current visit; nil if visits are not kept here.
  var lastActivity: Timestamp?
  /// Key moment scores.
  public internal(set) var keyMomentScores: KeyMomentScores = [:]
  /// Contextual bandit scores; nil if none were loaded.
  public internal(set) var banditScores: BanditScores?
  /// Forced experiment variations, one per experiment.
  public internal(set) var forcedVariations: [ForcedVariation] = []
  /// Simulated variations.
  public internal(set) var simulatedVariations: [SimulatedVariation] = []
  /// The code used as hash key instead of the visitor code, once set never changed.
  public internal(set) var mappingIdentifier: String?
  /// Legal consent.
  public internal(set) var consent = LegalConsent.unknown

  /// The kinds whose value waits to be sent.
  var unsentStaticData: StaticData = []
  /// When the value of a kind was added.
  var additionTimes: [StaticData: Timestamp] = [:]

  /// A profile without data.
  public init() {}

  /// The custom datum of an index; nil if the visitor has none.
  public func customDatum(at index: Int) -> CustomDatum? {
    customData.first { $0.index == index }
  }
}
