// SPDX-License-Identifier: Apache-2.0

public import AnoleModels
public import AnoleStorage

/// Events of one visitor that may leave together.
public struct VisitorEvents: Sendable, Hashable {
  /// Whom they are about.
  public var identity: TrackingIdentity
  /// What happened, in the order of the lines.
  public var events: [TrackingEvent]
  /// Changes of stored records that must become durable in the same step as the events.
  public var changes: [RecordChange]

  /// Makes a group of events.
  public init(
    identity: TrackingIdentity, events: [TrackingEvent], changes: [RecordChange] = []
  ) {
    self.identity = identity
    self.events = events
    self.changes = changes
  }
}

extension VisitorEvents {
  /// Takes what a visitor's next tracking request carries out of the record, where it counts as
  /// sent from now on (network specification, sections 3.2, 3.9 and 3.10).
  ///
  /// | the visitor | identity |
  /// | --- | --- |
  /// | has no unique identifier | visitor code |
  /// | unique, linked to another code | mapping value |
  /// | unique, linked to itself | visitor code |
  /// | unique, without link, and there is a mapping index | is linked to itself now; visitor code |
  /// | unique, without link, and there is no mapping index | mapping value |
  ///
  /// A visitor with nothing to send gets one activity event, unless consent is required and not
  /// given. ``changes`` is empty: where records are stored is the caller's affair.
  ///
  /// - Parameters:
  ///   - record: the visitor's record; the caller stores it.
  ///   - visitorCode: the code under which the visitor is tracked.
  ///   - isUniqueIdentifier: whether the code is an id of the customer's own.
  ///   - configuration: the settings of the data file in force.
  ///   - catalogue: its declared custom data.
  ///   - now: the time, for a link that is made.
  /// - Returns: nil if nothing may leave.
  public init?(
    taking record: inout VisitorRecord, visitorCode: String, isUniqueIdentifier: Bool,
    configuration: Configuration, catalogue: CustomDataCatalogue, now: Timestamp
  ) {
    if isUniqueIdentifier, record.mappingIdentifier == nil, let index = catalogue.mappingIndex {
      record.add(
        .customData(index: index, values: [visitorCode]), visitorCode: visitorCode,
        from: .application(isTracked: true), at: now, catalogue: catalogue)
    }
    let isOwn = record.mappingIdentifier.map { $0.hasSameBytes(as: visitorCode) } ?? false
    identity =
      isUniqueIdentifier && !isOwn ? .mappingValue(visitorCode) : .visitorCode(visitorCode)
    changes = []
    let isConsentRequired = configuration.isConsentRequired
    events = record.takeEvents(isConsentRequired: isConsentRequired, catalogue: catalogue)
    guard events.isEmpty else { return }
    guard record.mayBeTracked(isConsentRequired: isConsentRequired) else { return nil }
    events = [.activity]
  }
}
