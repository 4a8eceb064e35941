// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
package import AnoleModels
import AnoleTargeting

/// Runs `evaluation.json`: a data file, a visitor and a sequence of calls a case.
package struct EvaluationVectors {
  private let snapshots: [String: Snapshot]

  init(dataFiles: [String: DataFile]) {
    let sdk = SDKIdentity(name: VectorFolder.sdkName, version: VectorFolder.sdkVersion)
    snapshots = dataFiles.mapValues { Snapshot($0, sdk: sdk) }
  }

  mutating func run(_ cases: [JSONValue], file name: String) -> ConformanceReport.File {
    var file = ConformanceReport.File(name: name)
    for item in cases {
      let id = item["id"]?.stringValue ?? "case without id"
      do throws(VectorError) {
        if let difference = try difference(in: item) {
          file.fail(id, difference)
        } else {
          file.passed += 1
        }
      } catch {
        file.fail(id, error.description)
      }
    }
    return file
  }

  private func difference(in item: JSONValue) throws(VectorError) -> String? {
    guard let snapshot = snapshots[try VectorData.text(item, "df")] else {
      throw VectorError("there is no data file \(item["df"] ?? .null)")
    }
    let now = try VectorData.time(item, "now")
    var session = EvaluationSession(
      snapshot: snapshot, visitorCode: try VectorData.text(item, "visitor"), now: now,
      visitStart: item["visitStart"] == nil ? now : try VectorData.time(item, "visitStart"))
    for (position, step) in (item["steps"]?.arrayValue ?? []).enumerated() {
      if let difference = try difference(in: step, &session) {
        return "step \(position + 1) (\(step["op"] ?? .null)): \(difference)"
      }
    }
    return nil
  }

  private func difference(
    in step: JSONValue, _ session: inout EvaluationSession
  ) throws(VectorError) -> String? {
    let expectedError = step["error"]?.stringValue
    switch try session.perform(step) {
    case .failure(let error):
      let name = error.vectorName
      guard let expectedError else { return "failed with \(name)" }
      return name == expectedError ? nil : "expected the error \(expectedError), got \(name)"
    case .success(let value):
      if let expectedError { return "expected the error \(expectedError), got \(value)" }
      guard let expected = step["expect"] else { return nil }
      let isSet = step["op"]?.stringValue == "tracking"
      return JSONComparison.difference(
        expected: isSet ? Self.sortingEvents(expected) : expected,
        actual: isSet ? Self.sortingEvents(value) : value)
    }
  }

  /// The events of a tracking step are a set, and so are the values of custom data.
  package static func sortingEvents(_ value: JSONValue) -> JSONValue {
    guard let events = value["events"]?.arrayValue else { return value }
    let sorted = events.map(sortingValues).sorted { key($0) < key($1) }
    return ["registered": value["registered"] ?? .null, "events": .array(sorted)]
  }

  private static func sortingValues(_ event: JSONValue) -> JSONValue {
    let members = (event.objectValue ?? []).map { member in
      let sorted = member.value.arrayValue.map { $0.sorted { $0.description < $1.description } }
      return JSONValue.Member(
        key: member.key, value: sorted.map(JSONValue.array) ?? member.value)
    }
    return .object(members)
  }

  private static func key(_ event: JSONValue) -> String {
    let members = (event.objectValue ?? []).sorted { $0.key < $1.key }
    return members.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
  }
}

extension EvaluationError {
  fileprivate var vectorName: String {
    switch self {
    case .visitorCodeInvalid: "visitorCodeInvalid"
    case .featureNotFound: "featureNotFound"
    case .environmentDisabled, .blockedByConsent: "featureEnvironmentDisabled"
    case .variationNotFound: "featureVariationNotFound"
    case .variableNotFound: "featureVariableNotFound"
    case .experimentNotFound: "featureExperimentNotFound"
    }
  }
}
