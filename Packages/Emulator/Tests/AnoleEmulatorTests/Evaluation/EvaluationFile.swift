// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels
import Testing

/// Writes data files for tests of evaluation.
enum EvaluationFile {
  /// A file of flags, segments and two declared custom data: `plan` at 3 and `country` at 4.
  static func text(
    flags: [String], segments: [String] = [], more: String = ""
  ) -> String {
    """
    {"customData": [{"id": 1, "index": 3, "name": "plan"}, {"id": 2, "index": 4, "name": "country"}],
     "segments": [\(segments.joined(separator: ","))],
     "featureFlags": [\(flags.joined(separator: ","))]\(more)}
    """
  }

  /// A flag whose variations have the variables given, all of type `ANY`, and whose first variation is
  /// served.
  static func flag(
    _ key: String, id: Int = 1, isEnabled: Bool = true, variations: [(String, String)],
    rules: String = ""
  ) -> String {
    let texts = variations.map { #"{"key": "\#($0)", "variables": [\#($1)]}"# }
    return """
      {"id": \(id), "featureKey": "\(key)", "environmentEnabled": \(isEnabled),
       "defaultVariationKey": "\(variations[0].0)", "variations": [\(texts.joined(separator: ","))],
       "rules": [\(rules)]}
      """
  }

  static func variable(_ key: String, _ value: String, type: String = "ANY") -> String {
    #"{"key": "\#(key)", "type": "\#(type)", "value": \#(value)}"#
  }

  /// A delivery of one variation to a segment, or to everybody.
  static func delivery(_ variation: String, id: Int = 11, segment: Int? = nil) -> String {
    """
    {"id": \(id), "type": "TARGETED_DELIVERY", "exposition": 1, "experimentId": \(id + 100),
     "segmentId": \(segment.map(String.init) ?? "null"), "variationByExposition": [
     {"variationKey": "\(variation)", "variationId": \(id + 1000), "exposition": 1}]}
    """
  }

  /// A segment of one condition.
  static func segment(_ id: Int, _ condition: String) -> String {
    """
    {"id": \(id), "conditionsData": {"firstLevelOrOperators": [], "firstLevel": [
     {"orOperators": [], "conditions": [\(condition)]}]}}
    """
  }

  /// A switch that is on for those who meet a condition.
  static func probe(_ condition: String) -> String {
    text(
      flags: [
        flag("probe", variations: [("off", ""), ("on", "")], rules: delivery("on", segment: 7))
      ], segments: [segment(7, condition)])
  }
}

/// What an evaluation answers.
struct Evaluated {
  let status: Int?
  let json: JSONValue
  let answer: WireAnswer

  /// Evaluates one flag, or all with nil.
  init(
    _ emulator: Emulator, _ key: String?, body: String, headers: [String] = [],
    query: String = ""
  ) async throws {
    let path = "/ofrep/v1/evaluate/flags" + (key.map { "/\($0)" } ?? "") + query
    answer = try await exchange(emulator.port, "POST", path, headers: headers, body: body)
    status = answer.status
    json = answer.body.isEmpty ? .null : try JSONValue(parsing: answer.body)
  }

  init(_ emulator: Emulator, _ key: String?, context: String, headers: [String] = []) async throws {
    try await self.init(emulator, key, body: #"{"context": \#(context)}"#, headers: headers)
  }
}
