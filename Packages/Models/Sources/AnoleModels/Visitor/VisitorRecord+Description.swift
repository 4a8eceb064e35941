// SPDX-License-Identifier: Apache-2.0

extension VisitorRecord {
  /// Makes the record of a visitor of whom somebody tells everything at once, as command lines and
  /// requests do.
  ///
  /// - Parameters:
  ///   - items: what is known, added in this order by the rules of section 5.1.
  ///   - visitorCode: the code under which it is added.
  ///   - consent: whether the visitor agreed.
  ///   - forced: variations forced for experiments.
  ///   - now: the caller's time, at which the visit starts.
  ///   - catalogue: the declared custom data of the data file in force.
  public init(
    _ items: [VisitorDatum], visitorCode: String, consent: LegalConsent = .unknown,
    forced: [ForcedVariation] = [], at now: Timestamp, catalogue: CustomDataCatalogue
  ) {
    self.init(visitStart: now)
    for item in items {
      add(
        item, visitorCode: visitorCode, from: .application(isTracked: true), at: now,
        catalogue: catalogue)
    }
    switch consent {
    case .unknown: break
    case .given: setLegalConsent(true)
    case .refused: setLegalConsent(false)
    }
    for variation in forced { force(variation) }
  }
}
