// SPDX-License-Identifier: Apache-2.0

import AnoleConformance
import AnoleModels

/// Compares what a client answered with what a vector expects.
struct EvaluationComparison {
  /// How it stands with consent at the end of a case.
  struct Consent: Sendable {
    /// Whether the data file asks for it.
    let isRequired: Bool
    /// Whether the visitor gave it.
    let isGiven: Bool

    /// Whether it is asked for and was not given.
    var isMissing: Bool { isRequired && !isGiven }
  }

  private static let nullDecision = WireReport.Decision(
    section: "public-api.md 2.5", difference: "a [String: Any] has no member for null")
  private static let activityDecision = WireReport.Decision(
    section: "network.md 3.8", difference: "consent brings the activity event of the start")

  let expected: JSONValue
  let actual: JSONValue
  let consent: Consent

  /// Compares the answer of a call; members that are null count as absent.
  func answer() -> WireVectors.Outcome {
    guard JSONComparison.difference(expected: expected, actual: actual) != nil else {
      return .passed
    }
    let rest = JSONComparison.difference(
      expected: Self.withoutNulls(expected), actual: Self.withoutNulls(actual))
    return rest.map(WireVectors.Outcome.differs) ?? .decided(Self.nullDecision)
  }

  /// Compares what the next tracking request carries.
  func tracking() -> WireVectors.Outcome {
    let (wanted, found) = (Self.normalized(expected), Self.normalized(actual))
    guard let difference = JSONComparison.difference(expected: wanted, actual: found) else {
      return .passed
    }
    guard wanted["events"] == found["events"] else { return .differs(difference) }
    // Whether a visitor is queued shows by a request; without consent there may be nothing to send.
    if wanted["registered"] == true, wanted["events"] == [], consent.isMissing { return .passed }
    let hasStarted = consent.isRequired && consent.isGiven
    guard found["registered"] == true, hasStarted else { return .differs(difference) }
    return .decided(Self.activityDecision)
  }

  private static func withoutNulls(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let values): .array(values.map(withoutNulls))
    case .object(let members):
      .object(
        members.filter { !$0.value.isNull }.map {
          .init(key: $0.key, value: withoutNulls($0.value))
        })
    default: value
    }
  }

  /// The events are a set, and a repeated value of custom data travels once.
  private static func normalized(_ value: JSONValue) -> JSONValue {
    let events = (value["events"]?.arrayValue ?? []).map { event in
      JSONValue.object((event.objectValue ?? []).map(normalized))
    }
    return EvaluationVectors.sortingEvents([
      "registered": value["registered"] ?? .null, "events": .array(events),
    ])
  }

  /// One form for numbers, so that sorting sees equal texts; no value twice.
  private static func normalized(_ member: JSONValue.Member) -> JSONValue.Member {
    if let number = member.value.doubleValue {
      return .init(key: member.key, value: .number(.double(number)))
    }
    guard let values = member.value.arrayValue else { return member }
    var distinct: [JSONValue] = []
    for value in values where !distinct.contains(value) { distinct.append(value) }
    return .init(key: member.key, value: .array(distinct))
  }
}
