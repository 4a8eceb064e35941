// SPDX-License-Identifier: Apache-2.0

import AnoleModels

func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

/// A record under one code, with the custom data that the tests of this folder share: 1 plan,
/// 2 mapping identifier, 3 visitor scope, 4 local only, 5 local only with visitor scope.
struct Visitor {
  static let catalogue: CustomDataCatalogue = {
    let names = ["plan", "member id", "company", "is employee", "secret"]
    return CustomDataCatalogue(
      names.enumerated().map { position, name in
        var definition = CustomDataDefinition(index: position + 1)
        definition.name = name
        definition.isMappingIdentifier = position == 1
        definition.scope = [2, 4].contains(position) ? .visitor : .visit
        definition.isLocalOnly = position >= 3
        return definition
      })
  }()

  var record = VisitorRecord(visitStart: time(1000))
  var code = "anna"

  @discardableResult
  mutating func add(
    _ datum: VisitorDatum, at now: Int64 = 1000, track: Bool = true
  ) -> DatumAddition {
    record.add(
      datum, visitorCode: code, from: .application(isTracked: track), at: time(now),
      catalogue: Self.catalogue)
  }

  @discardableResult
  mutating func load(_ datum: VisitorDatum, at now: Int64 = 1000) -> DatumAddition {
    record.add(
      datum, visitorCode: code, from: .remote, at: time(now), catalogue: Self.catalogue)
  }

  var profile: VisitorProfile { record.profile ?? VisitorProfile() }
  var pending: [TrackingEvent] { record.pendingEvents(isConsentRequired: false) }
  var restricted: [TrackingEvent] { record.pendingEvents(isConsentRequired: true) }

  func values(_ index: Int) -> [String]? { profile.customDatum(at: index)?.values }
}

extension TrackingEvent {
  static func plain(_ index: Int, _ values: [String]) -> TrackingEvent {
    .customData(index: index, values: values, isOverwriting: true, isMappingIdentifier: false)
  }

  static func identifier(_ value: String) -> TrackingEvent {
    .customData(index: 2, values: [value], isOverwriting: true, isMappingIdentifier: true)
  }
}
