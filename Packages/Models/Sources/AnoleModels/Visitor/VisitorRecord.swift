// SPDX-License-Identifier: Apache-2.0

/// All that is remembered of a visitor.
///
/// The visitor code is not part of it: two codes of one person share one record (section 5.3).
///
/// A small value, cheap to copy; a visitor without data takes no memory outside of it. Not
/// synchronised: the owner guards it.
public struct VisitorRecord: Sendable, Hashable {
  /// When the current visit started.
  public var visitStart: Timestamp
  /// The saved assignments.
  public var assignments = AssignmentTable()
  /// What is known apart from assignments; nil if nothing is.
  ///
  /// A reference, so that single fields are read without a copy of the whole profile.
  public private(set) var box: ProfileBox?

  /// An immutable profile, so that reading a field needs no exclusivity check.
  public final class ProfileBox: Sendable, Hashable {
    /// The profile.
    public let profile: VisitorProfile

    init(_ profile: VisitorProfile) { self.profile = profile }

    /// Whether the profiles are equal.
    public static func == (left: ProfileBox, right: ProfileBox) -> Bool {
      left.profile == right.profile
    }

    /// Feeds the profile.
    public func hash(into hasher: inout Hasher) { hasher.combine(profile) }
  }

  /// A visitor of whom nothing is known.
  public init(visitStart: Timestamp) {
    self.visitStart = visitStart
  }

  /// Whether anything apart from assignments is known.
  public var hasProfile: Bool { box != nil }

  /// What is known apart from assignments; nil if nothing is.
  public var profile: VisitorProfile? { box?.profile }

  /// Changes what is known.
  public mutating func updateProfile<Result>(
    _ change: (inout VisitorProfile) throws -> Result
  ) rethrows -> Result {
    var profile = box?.profile ?? VisitorProfile()
    let result = try change(&profile)
    box = ProfileBox(profile)
    return result
  }
}

extension VisitorRecord {
  /// Legal consent.
  public var consent: LegalConsent { box?.profile.consent ?? .unknown }

  /// Whether consent allows everything to be reported; otherwise only exposures of targeted deliveries
  /// and conversions may leave (network specification, section 3.9).
  ///
  /// - Parameter isConsentRequired: whether the data file asks for consent.
  public func mayBeTracked(isConsentRequired: Bool) -> Bool {
    !isConsentRequired || consent == .given
  }

  /// The visitor gives or refuses consent.
  public mutating func setLegalConsent(_ isGiven: Bool) {
    updateProfile { $0.consent = isGiven ? .given : .refused }
  }

  /// The code used as hash key instead of the visitor code.
  public var mappingIdentifier: String? { box?.profile.mappingIdentifier }

  /// Sets the mapping identifier if there is none yet; an empty one is ignored.
  public mutating func adoptMappingIdentifier(_ identifier: String) {
    guard mappingIdentifier == nil, !identifier.isEmpty else { return }
    updateProfile { $0.mappingIdentifier = identifier }
  }

  /// Forces a variation for its experiment, replacing an earlier one.
  public mutating func force(_ variation: ForcedVariation) {
    updateProfile { profile in
      profile.forcedVariations.removeAll { $0.experimentID == variation.experimentID }
      profile.forcedVariations.append(variation)
    }
  }

  /// Takes back the forced variation of an experiment, if there is one.
  public mutating func removeForcedVariation(experimentID: Int64) {
    guard box != nil else { return }
    updateProfile { $0.forcedVariations.removeAll { $0.experimentID == experimentID } }
  }

  /// Replaces the set of simulated variations.
  public mutating func simulate(_ variations: [SimulatedVariation]) {
    updateProfile { $0.simulatedVariations = variations }
  }

  /// Notes that the visitor is in a segment, to be sent.
  public mutating func add(targetedSegment id: Int64) {
    updateProfile { profile in
      profile.targetedSegments.removeAll { $0.id == id }
      profile.targetedSegments.append(TargetedSegment(id: id))
    }
  }

  /// Saves an assignment.
  ///
  /// A silent one (`isTracked` false) keeps an exposure of the same variation that still waits to
  /// be sent (section 3.10).
  public mutating func save(
    experimentID: Int64, variationID: Int64, origin: Assignment.Origin, at now: Timestamp,
    isTracked: Bool
  ) {
    var isSent = !isTracked
    if isSent, let present = assignments[experimentID], present.variationID == variationID {
      isSent = present.isSent
    }
    assignments.set(
      Assignment(
        experimentID: experimentID, variationID: variationID, origin: origin, time: now,
        isSent: isSent))
  }
}
