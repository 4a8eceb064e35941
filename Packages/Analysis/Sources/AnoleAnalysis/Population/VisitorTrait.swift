// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// Something that is known of simulated visitors.
public enum VisitorTrait: Sendable, Hashable {
  /// A datum, as an application adds it.
  case datum(VisitorDatum)
  /// Legal consent, given or refused.
  case consent(isGiven: Bool)
  /// A variation forced for an experiment.
  case forced(ForcedVariation)
}

extension VisitorRecord {
  /// Adds a trait as the visitor's own application does.
  ///
  /// - Returns: why the trait was dropped; nil if it was not.
  mutating func add(
    _ trait: VisitorTrait, visitorCode: String, at now: Timestamp, _ catalogue: CustomDataCatalogue
  ) -> String? {
    switch trait {
    case .datum(let datum):
      let addition = add(
        datum, visitorCode: visitorCode, from: .application(isTracked: true), at: now,
        catalogue: catalogue)
      if case .dropped(let reason) = addition { return reason }
    case .consent(let isGiven): setLegalConsent(isGiven)
    case .forced(let variation): force(variation)
    }
    return nil
  }
}
