// SPDX-License-Identifier: Apache-2.0

import AnoleConformance
import AnoleModels
import AnoleWireRecordings

/// Compares what a step returned with what was recorded.
enum ResultComparison {
  /// How long after the start of a scenario data may have been added.
  private static let longestScenario: Int64 = 600_000

  /// Where the two part; nil if they agree.
  static func difference(of step: RecordedStep, actual: JSONValue?) -> String? {
    let isOrdered = step.operation != .featureList
    let expected = prepared(step.result ?? .null, step, isOrdered: isOrdered)
    let found = prepared(actual ?? .null, step, isOrdered: isOrdered)
    guard let difference = JSONComparison.difference(expected: expected, actual: found) else {
      return nil
    }
    return "step \(step.number) (\(step.operation)): \(difference)"
  }

  private static func prepared(
    _ value: JSONValue, _ step: RecordedStep, isOrdered: Bool
  ) -> JSONValue {
    let values = value.arrayValue
    if !isOrdered, let values {
      return .array(values.sorted { $0.description < $1.description })
    }
    switch step.operation {
    case .visitorState: return placeholders(value)
    // Data that are returned carry no mark whether they were sent; their state is compared elsewhere.
    case .getRemoteVisitorData, .getVisitorWarehouseAudience: return withoutMarks(value)
    default: return value
    }
  }

  private static func withoutMarks(_ value: JSONValue) -> JSONValue {
    if let values = value.arrayValue { return .array(values.map(withoutMarks)) }
    guard let members = value.objectValue else { return value }
    return .object(members.filter { $0.key != "sent" })
  }

  /// Times that depend on the clock become their placeholders.
  private static func placeholders(_ value: JSONValue, key: String = "") -> JSONValue {
    switch value {
    case .object(let members):
      return .object(
        members.map { .init(key: $0.key, value: placeholders($0.value, key: $0.key)) })
    case .array(let values): return .array(values.map { placeholders($0) })
    case .number(let number):
      guard let milliseconds = number.asInteger else { return value }
      let start = ReplayTime.start
      if key == "timeSincePreviousVisit", milliseconds >= 0 {
        return "{TIME_SINCE_PREVIOUS_VISIT}"
      }
      let isNow = (start...(start + longestScenario)).contains(milliseconds)
      return key == "assignmentTime" && isNow ? "{NOW_MS}" : value
    default: return value
    }
  }
}
