// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking

extension Types {
  /// Which data of a visitor are fetched from the platform.
  public struct RemoteVisitorDataFilter: Sendable, Hashable {
    /// The current visit and the one before, custom data and the visitor code.
    public static let `default` = RemoteVisitorDataFilter()

    /// How many former visits, 1 to 25; numbers beyond count as the nearest of these.
    public let previousVisitAmount: Int
    /// The visit under way.
    public let currentVisit: Bool
    /// Custom data.
    public let customData: Bool
    /// Conversions.
    public let conversions: Bool
    /// Experiments the visitor was assigned to.
    public let experiments: Bool
    /// Places.
    public let geolocation: Bool
    /// Likelihood to convert, for conditions on it.
    public let kcs: Bool
    /// The code the platform knows the visitor by, to link devices.
    public let visitorCode: Bool
    /// Personalizations the visitor has seen.
    public let personalization: Bool
    /// Scores of contextual bandits.
    public let cbs: Bool

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - previousVisitAmount: How many former visits.
    ///   - currentVisit: Whether the visit under way is fetched.
    ///   - customData: Whether custom data are.
    ///   - conversions: Whether conversions are.
    ///   - experiments: Whether experiments are.
    ///   - geolocation: Whether places are.
    ///   - kcs: Whether the likelihood to convert is.
    ///   - visitorCode: Whether the platform's code for the visitor is used.
    ///   - personalization: Whether personalizations are.
    ///   - cbs: Whether scores of contextual bandits are.
    public init(
      previousVisitAmount: Int = 1, currentVisit: Bool = true, customData: Bool = true,
      conversions: Bool = false, experiments: Bool = false, geolocation: Bool = false,
      kcs: Bool = false, visitorCode: Bool = true, personalization: Bool = false,
      cbs: Bool = false
    ) {
      self.previousVisitAmount = previousVisitAmount
      self.currentVisit = currentVisit
      self.customData = customData
      self.conversions = conversions
      self.experiments = experiments
      self.geolocation = geolocation
      self.kcs = kcs
      self.visitorCode = visitorCode
      self.personalization = personalization
      self.cbs = cbs
    }
  }
}

extension Types.RemoteVisitorDataFilter {
  /// The query for a visitor.
  ///
  /// - Parameters:
  ///   - code: The visitor code, or the user's own identifier.
  ///   - isUniqueIdentifier: Whether `code` is the user's own identifier.
  func query(visitorCode code: String, isUniqueIdentifier: Bool) -> VisitorDataQuery {
    let parts: [(VisitorDataQuery.Part, Bool)] = [
      (.keyMoments, kcs), (.currentVisit, currentVisit), (.customData, customData),
      (.conversions, conversions), (.geolocation, geolocation), (.experiments, experiments),
      (.personalizations, personalization), (.banditScores, cbs),
    ]
    return VisitorDataQuery(
      visitorCode: code, isUniqueIdentifier: isUniqueIdentifier,
      previousVisitCount: previousVisitAmount,
      parts: Set(parts.filter(\.1).map(\.0)))
  }
}
