// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTracking
import Testing

/// What is known when a visitor's events are taken, and what follows from it.
private struct IdentityCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let isUnique: Bool
  let mappingIdentifier: String?
  let hasMappingIndex: Bool
  let identity: TrackingIdentity
  let events: [TrackingEvent]

  init(
    _ description: String, unique: Bool, mapping: String?, index: Bool,
    _ identity: TrackingIdentity, _ events: [TrackingEvent] = [.activity]
  ) {
    testDescription = description
    isUnique = unique
    mappingIdentifier = mapping
    hasMappingIndex = index
    self.identity = identity
    self.events = events
  }
}

private let selfLink = TrackingEvent.customData(
  index: 2, values: ["user-42"], isMappingIdentifier: true)

/// Network specification, section 3.10; names of recordings in brackets.
private let identityCases: [IdentityCase] = [
  IdentityCase(
    "an ordinary visitor", unique: false, mapping: nil, index: true, .visitorCode("user-42")),
  IdentityCase(
    "an ordinary visitor whose hashing code came from the server", unique: false,
    mapping: "anonymous", index: true, .visitorCode("user-42")),
  IdentityCase(
    "linked to an anonymous visitor (identity_unique_identifier_mapped)", unique: true,
    mapping: "anonymous", index: true, .mappingValue("user-42")),
  IdentityCase(
    "linked to itself", unique: true, mapping: "user-42", index: true, .visitorCode("user-42")),
  IdentityCase(
    "not linked (identity_unique_identifier_unmapped)", unique: true, mapping: nil, index: true,
    .visitorCode("user-42"), [selfLink]),
  IdentityCase(
    "no mapping index (identity_unique_identifier_no_mapping_index)", unique: true, mapping: nil,
    index: false, .mappingValue("user-42")),
]

/// Consent required?, given?, and what may leave (section 3.9).
private struct ConsentCase: Sendable {
  let isRequired: Bool
  let consent: Bool?
  let isRestricted: Bool
}

private let consentCases: [ConsentCase] = [
  ConsentCase(isRequired: false, consent: nil, isRestricted: false),
  ConsentCase(isRequired: false, consent: false, isRestricted: false),
  ConsentCase(isRequired: false, consent: true, isRestricted: false),
  ConsentCase(isRequired: true, consent: nil, isRestricted: true),
  ConsentCase(isRequired: true, consent: false, isRestricted: true),
  ConsentCase(isRequired: true, consent: true, isRestricted: false),
]

@Suite("Events of a visitor")
struct VisitorEventsTests {
  private let now = Timestamp(milliseconds: 1_700_000_000_000)

  private func catalogue(mappingIndex: Int?) -> CustomDataCatalogue {
    guard let mappingIndex else { return CustomDataCatalogue() }
    var definition = CustomDataDefinition(index: mappingIndex)
    definition.isMappingIdentifier = true
    return CustomDataCatalogue([definition])
  }

  private func configuration(isConsentRequired: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.isConsentRequired = isConsentRequired
    return configuration
  }

  private func take(
    _ record: inout VisitorRecord, isUnique: Bool = false, isConsentRequired: Bool = false,
    catalogue: CustomDataCatalogue = CustomDataCatalogue()
  ) -> VisitorEvents? {
    VisitorEvents(
      taking: &record, visitorCode: "user-42", isUniqueIdentifier: isUnique,
      configuration: configuration(isConsentRequired: isConsentRequired), catalogue: catalogue,
      now: now)
  }

  @Test("identity is visitor code or mapping value by these rules", arguments: identityCases)
  fileprivate func identity(_ row: IdentityCase) throws {
    var record = VisitorRecord(visitStart: now)
    if let identifier = row.mappingIdentifier { record.adoptMappingIdentifier(identifier) }
    let taken = try #require(
      take(
        &record, isUnique: row.isUnique,
        catalogue: catalogue(mappingIndex: row.hasMappingIndex ? 2 : nil)))
    #expect(taken.identity == row.identity)
    #expect(taken.events == row.events)
    #expect(taken.changes.isEmpty)
  }

  @Test("a self link is made once, and goes with every request, so that no activity is needed")
  func selfLinkStays() throws {
    var record = VisitorRecord(visitStart: now)
    let catalogue = catalogue(mappingIndex: 2)
    for _ in 0..<3 {
      let taken = try #require(take(&record, isUnique: true, catalogue: catalogue))
      #expect(taken.identity == .visitorCode("user-42"))
      #expect(taken.events == [selfLink])
    }
    #expect(record.mappingIdentifier == "user-42")
  }

  @Test("a mapping identifier that differs only in its normal form is another code")
  func normalForms() throws {
    var record = VisitorRecord(visitStart: now)
    record.adoptMappingIdentifier("e\u{301}")
    let taken = VisitorEvents(
      taking: &record, visitorCode: "é", isUniqueIdentifier: true,
      configuration: configuration(), catalogue: CustomDataCatalogue(), now: now)
    #expect(taken?.identity == .mappingValue("é"))
  }

  @Test("without consent only targeted deliveries and conversions leave", arguments: consentCases)
  fileprivate func consent(_ row: ConsentCase) throws {
    var record = VisitorRecord(visitStart: now)
    if let consent = row.consent { record.setLegalConsent(consent) }
    record.save(
      experimentID: 1, variationID: 10, origin: .experimentation, at: now, isTracked: true)
    record.save(
      experimentID: 2, variationID: 20, origin: .targetedDelivery, at: now, isTracked: true)
    for datum: VisitorDatum in [.device(.phone), .conversion(Conversion(goalID: 7, time: now))] {
      record.add(
        datum, visitorCode: "user-42", from: .application(isTracked: true), at: now,
        catalogue: CustomDataCatalogue())
    }
    let strictlyNecessary: [TrackingEvent] = [
      .experiment(experimentID: 2, variationID: 20), .conversion(goalID: 7),
    ]
    let everything: [TrackingEvent] = [
      .device(.phone), .experiment(experimentID: 1, variationID: 10),
      .experiment(experimentID: 2, variationID: 20), .conversion(goalID: 7),
    ]
    let taken = try #require(take(&record, isConsentRequired: row.isRequired))
    #expect(taken.events == (row.isRestricted ? strictlyNecessary : everything))
    // The rest, and no activity before.
    #expect((take(&record, isConsentRequired: row.isRequired) == nil) == row.isRestricted)
    guard row.isRestricted else { return }
    record.setLegalConsent(true)
    #expect(
      take(&record, isConsentRequired: true)?.events
        == [.device(.phone), .experiment(experimentID: 1, variationID: 10)])
  }

  @Test("a visitor with nothing to send gets one activity event, unless consent is missing")
  func activity() {
    var record = VisitorRecord(visitStart: now)
    #expect(take(&record)?.events == [.activity])
    #expect(take(&record)?.events == [.activity])
    #expect(take(&record, isConsentRequired: true) == nil)
    record.setLegalConsent(false)
    #expect(take(&record, isConsentRequired: true) == nil)
    record.setLegalConsent(true)
    #expect(take(&record, isConsentRequired: true)?.events == [.activity])
  }
}
