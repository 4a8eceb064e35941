// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// A visitor's record in the form in which recordings dump it.
enum VisitorState {
  static func json(_ record: VisitorRecord) -> JSONValue {
    let profile = record.profile ?? VisitorProfile()
    let pending = record.pendingEvents(isConsentRequired: false)
    return WireData.object([
      ("mappingIdentifier", record.mappingIdentifier.map(JSONValue.string)),
      ("customData", map(profile.customData, key: { "\($0.index)" }, value: customDatum)),
      ("conversions", list(profile.conversions.map(conversion))),
      (
        "experiments", map(record.assignments.all, key: { "\($0.experimentID)" }, value: assignment)
      ),
      (
        "personalizations",
        map(profile.personalizations, key: { "\($0.id)" }, value: personalization)
      ),
      ("pageViewVisits", map(profile.pageViews, key: { $0.url.string }, value: page)),
      (
        "device",
        profile.device.map { with(WireData.device($0), isSent: !pending.contains(.device($0))) }
      ),
      (
        "browser",
        profile.browser.map { with(WireData.browser($0), isSent: !pending.contains(.browser($0))) }
      ),
      ("operatingSystem", profile.operatingSystem.map { system($0, pending) }),
      ("geolocation", profile.geolocation.map { geolocation($0, pending) }),
      ("kcs", scores(profile.keyMomentScores)),
      ("cbs", bandits(profile)),
      ("visits", visits(profile, visitStart: record.visitStart)),
    ])
  }

  private static func list(_ values: [JSONValue]) -> JSONValue? {
    values.isEmpty ? nil : .array(values)
  }

  private static func map<Element>(
    _ elements: [Element], key: (Element) -> String, value: (Element) -> JSONValue
  ) -> JSONValue? {
    guard !elements.isEmpty else { return nil }
    return .object(elements.map { .init(key: key($0), value: value($0)) })
  }

  private static func with(_ value: JSONValue, isSent: Bool) -> JSONValue {
    .object((value.objectValue ?? []) + [.init(key: "sent", value: .bool(isSent))])
  }

  private static func integer(_ value: Int64) -> JSONValue { .number(.integer(value)) }

  private static func customDatum(_ datum: CustomDatum) -> JSONValue {
    // A mapping identifier never counts as sent.
    with(
      WireData.customData(index: datum.index, values: datum.values),
      isSent: datum.isSent && !datum.isMappingIdentifier)
  }

  private static func conversion(_ conversion: Conversion) -> JSONValue {
    let value = WireData.conversion(
      goalID: conversion.goalID, revenue: conversion.revenue, isNegative: conversion.isNegative)
    return .object(
      (with(value, isSent: conversion.isSent).objectValue ?? [])
        + [.init(key: "assignmentTime", value: integer(conversion.time.milliseconds))])
  }

  private static func assignment(_ assignment: Assignment) -> JSONValue {
    [
      "variationId": integer(assignment.variationID),
      "assignmentTime": integer(assignment.time.milliseconds), "sent": .bool(assignment.isSent),
    ]
  }

  private static func personalization(_ personalization: Personalization) -> JSONValue {
    [
      "variationId": integer(personalization.variationID),
      "assignmentTime": integer(personalization.time.milliseconds),
    ]
  }

  private static func page(_ page: PageView) -> JSONValue {
    WireData.object([
      ("count", integer(Int64(page.count))), ("lastTimestamp", integer(page.lastTime.milliseconds)),
      ("title", page.title.map { .string($0.string) }), ("sent", .bool(page.isSent)),
    ])
  }

  private static func system(_ system: OperatingSystem, _ pending: [TrackingEvent]) -> JSONValue {
    [
      "type": "operatingSystem", "os": .string(system.rawValue),
      "sent": .bool(!pending.contains(.operatingSystem(system))),
    ]
  }

  private static func geolocation(_ place: Geolocation, _ pending: [TrackingEvent]) -> JSONValue {
    with(
      WireData.geolocation(country: place.country, region: place.region, city: place.city),
      isSent: !pending.contains(.geolocation(place)))
  }

  private static func scores(_ scores: KeyMomentScores) -> JSONValue? {
    guard !scores.isEmpty else { return nil }
    return .object(
      scores.map { outer in
        .init(
          key: "\(outer.key)",
          value: .object(
            outer.value.map { .init(key: "\($0.key)", value: .number(.double($0.value))) }))
      })
  }

  /// The groups can only be asked for by experiment: those of the recordings are tried.
  private static func bandits(_ profile: VisitorProfile) -> JSONValue? {
    guard let scores = profile.banditScores else { return nil }
    let members = experimentIDs.compactMap { id -> JSONValue.Member? in
      let groups = scores.groups(of: id)
      guard !groups.isEmpty else { return nil }
      return .init(
        key: "\(id)", value: .array(groups.map { .array($0.map(integer)) }))
    }
    return .object(members)
  }

  private static let experimentIDs: [Int64] = Array(7_000...7_010)

  /// The history before the current visit; nil if there is none, as where it is unknown.
  private static func visits(_ profile: VisitorProfile, visitStart: Timestamp) -> JSONValue? {
    guard let previous = profile.previousVisits, !previous.isEmpty else { return nil }
    let last = previous.first { $0.lastActivity <= visitStart }
    let idle = last.map { visitStart.milliseconds - $0.lastActivity.milliseconds } ?? 0
    return [
      "visitNumber": integer(Int64(profile.previousVisitCount)),
      "previousVisits": .array(
        previous.map {
          [
            "timeStarted": integer($0.start.milliseconds),
            "timeLastActivity": integer($0.lastActivity.milliseconds),
          ]
        }),
      "timeSincePreviousVisit": integer(idle),
    ]
  }
}
