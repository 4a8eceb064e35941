// SPDX-License-Identifier: Apache-2.0

/// The literals a condition or a visitor's device may name.
public enum Device: String, Sendable, Hashable, CaseIterable {
  /// A phone.
  case phone = "PHONE"
  /// A tablet.
  case tablet = "TABLET"
  /// A computer.
  case desktop = "DESKTOP"
}

/// The operating systems that conditions know.
public enum OperatingSystem: String, Sendable, Hashable, CaseIterable {
  /// Windows.
  case windows = "WINDOWS"
  /// macOS.
  case mac = "MAC"
  /// iOS.
  case iOS = "IOS"
  /// Linux.
  case linux = "LINUX"
  /// Android.
  case android = "ANDROID"
  /// Windows Phone.
  case windowsPhone = "WINDOWS_PHONE"
}

/// The browsers that conditions know.
public enum BrowserType: String, Sendable, Hashable, CaseIterable {
  /// Chrome.
  case chrome = "CHROME"
  /// Internet Explorer.
  case internetExplorer = "IE"
  /// Firefox.
  case firefox = "FIREFOX"
  /// Safari.
  case safari = "SAFARI"
  /// Opera.
  case opera = "OPERA"
  /// Any other browser.
  case other = "OTHER"
}

/// A visitor's browser.
public struct Browser: Sendable, Hashable {
  /// Which browser.
  public let type: BrowserType
  /// Its version as the number "major.minor"; nil if unknown.
  public let version: Double?

  /// Makes a browser.
  public init(type: BrowserType, version: Double? = nil) {
    self.type = type
    self.version = version
  }
}

/// Where a visitor is.
public struct Geolocation: Sendable, Hashable {
  /// The country, as given.
  public let country: String
  /// The region, as given; nil if unknown.
  public let region: String?
  /// The city, as given; nil if unknown.
  public let city: String?
  /// The postal code, reported only; nil if unknown.
  public let postalCode: String?
  /// Degrees north, -90…90, reported only; nil if unknown.
  public let latitude: Double?
  /// Degrees east, -180…180, reported only; nil if unknown.
  public let longitude: Double?

  /// Makes a geolocation.
  public init(
    country: String, region: String? = nil, city: String? = nil, postalCode: String? = nil,
    latitude: Double? = nil, longitude: Double? = nil
  ) {
    self.country = country
    self.region = region
    self.city = city
    self.postalCode = postalCode
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A place in lower case (Unicode, without locale), for comparison without regard to case.
///
/// What is unknown is the empty text, which no condition asks for.
public struct FoldedPlace: Sendable, Hashable {
  /// The country.
  public let country: MatchText
  /// The region.
  public let region: MatchText
  /// The city.
  public let city: MatchText

  init(_ geolocation: Geolocation?) {
    country = MatchText(geolocation?.country.lowercased() ?? "")
    region = MatchText(geolocation?.region?.lowercased() ?? "")
    city = MatchText(geolocation?.city?.lowercased() ?? "")
  }
}

/// A cookie.
public struct Cookie: Sendable, Hashable {
  /// The name, compared byte by byte.
  public let name: MatchText
  /// The value, compared byte by byte.
  public let value: MatchText

  /// Makes a cookie.
  public init(name: String, value: String) {
    self.name = MatchText(name)
    self.value = MatchText(value)
  }
}

/// The views of one page.
public struct PageView: Sendable, Hashable {
  /// The page's address; page views are counted by it.
  public let url: MatchText
  /// The title last seen.
  public internal(set) var title: MatchText?
  /// How often the page was viewed, at least 1.
  public internal(set) var count: Int
  /// When it was viewed last.
  public internal(set) var lastTime: Timestamp
  /// Indices of the channels that led to the last view.
  public internal(set) var referrers: [Int] = []
  /// Whether no view is waiting to be sent.
  public internal(set) var isSent = true

  /// Makes a page view record.
  public init(url: String, title: String?, count: Int = 1, lastTime: Timestamp) {
    self.url = MatchText(url)
    self.title = title.map(MatchText.init)
    self.count = max(count, 1)
    self.lastTime = lastTime
  }
}

/// A conversion of a goal.
public struct Conversion: Sendable, Hashable {
  /// The goal.
  public let goalID: Int64
  /// The revenue in the project's currency.
  public let revenue: Double
  /// Whether the revenue is taken back.
  public let isNegative: Bool
  /// When it happened.
  public let time: Timestamp
  /// Custom data that is reported with it; forgotten once it is sent.
  public internal(set) var metadata: [ConversionMetadata]
  /// Whether nothing is waiting to be sent.
  public internal(set) var isSent = false

  /// Makes a conversion.
  public init(
    goalID: Int64, revenue: Double = 0, isNegative: Bool = false, time: Timestamp,
    metadata: [ConversionMetadata] = []
  ) {
    self.goalID = goalID
    self.revenue = revenue
    self.isNegative = isNegative
    self.time = time
    self.metadata = metadata
  }
}

/// A personalization the visitor has seen.
public struct Personalization: Sendable, Hashable {
  /// Its id.
  public let id: Int64
  /// The variation that was shown.
  public let variationID: Int64
  /// When it was shown.
  public let time: Timestamp

  /// Makes a personalization.
  public init(id: Int64, variationID: Int64, time: Timestamp) {
    self.id = id
    self.variationID = variationID
    self.time = time
  }
}

/// A segment that an evaluation of audiences put the visitor in.
public struct TargetedSegment: Sendable, Hashable {
  /// The segment.
  public let id: Int64
  /// Whether nothing is waiting to be sent.
  public internal(set) var isSent = false

  /// Makes an unsent item.
  public init(id: Int64) {
    self.id = id
  }
}

/// A finished visit.
public struct Visit: Sendable, Hashable {
  /// How many previous visits are kept.
  public static let limit = 25

  /// When it started.
  public let start: Timestamp
  /// When something happened last in it.
  public let lastActivity: Timestamp

  /// Makes a visit.
  public init(start: Timestamp, lastActivity: Timestamp) {
    self.start = start
    self.lastActivity = lastActivity
  }
}

/// Key moment scores: key moment id → goal id → score from 0 to 100.
public typealias KeyMomentScores = [Int64: [Int64: Double]]

/// Contextual bandit scores, prepared: for each experiment the variation ids grouped by equal
/// score, highest score first (section 3.7).
public struct BanditScores: Sendable, Hashable {
  /// Experiment id → groups of variation ids, best first.
  let groups: [Int64: [[Int64]]]

  init(groups: [Int64: [[Int64]]]) { self.groups = groups }

  /// Groups the scores: experiment id → variation id → score.
  public init(_ scores: [Int64: [Int64: Double]]) {
    groups = scores.mapValues { variations in
      let byScore = Dictionary(grouping: variations.keys) { variations[$0] ?? 0 }
      return byScore.sorted { $0.key > $1.key }.map { $0.value.sorted() }
    }
  }

  /// The groups of an experiment, best first; empty if it has no scores.
  public func groups(of experimentID: Int64) -> [[Int64]] { groups[experimentID] ?? [] }
}

/// Whether the visitor agreed to be tracked; unknown is a state of its own (section 5.5).
public enum LegalConsent: Sendable, Hashable {
  /// The visitor was never asked, or has not answered.
  case unknown
  /// The visitor agreed.
  case given
  /// The visitor refused.
  case refused
}

/// A variation forced for an experiment (section 3.5).
public struct ForcedVariation: Sendable, Hashable {
  /// The experiment whose rule is forced.
  public let experimentID: Int64
  /// The entry of the rule's split that is served.
  public let entry: SplitEntry
  /// Whether the rule's targeting is skipped.
  public let isTargetingForced: Bool

  /// Makes a forced variation.
  public init(experimentID: Int64, entry: SplitEntry, isTargetingForced: Bool) {
    self.experimentID = experimentID
    self.entry = entry
    self.isTargetingForced = isTargetingForced
  }
}

/// A simulated variation of a flag (section 3.6, optional on mobile).
public struct SimulatedVariation: Sendable, Hashable {
  /// The flag.
  public let featureKey: String
  /// The experiment; 0 means "serve the default".
  public let experimentID: Int64
  /// The variation of the experiment; nil with experiment 0.
  public let variationID: Int64?

  /// Makes a simulated variation.
  public init(featureKey: String, experimentID: Int64, variationID: Int64?) {
    self.featureKey = featureKey
    self.experimentID = experimentID
    self.variationID = variationID
  }
}
