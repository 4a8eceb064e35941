// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleModelsTesting
import AnoleTargeting
import Testing

@testable import AnoleAnalysis

/// A mistake put into a small correct file, and the only finding it must give.
struct Mistake: Sendable, CustomTestStringConvertible {
  let old: String
  let new: String
  let findings: [String]
  init(_ old: String, _ new: String, _ findings: String...) {
    self.old = old
    self.new = new
    self.findings = findings
  }
  var testDescription: String { findings.joined(separator: "; ") }
}

let correctFile = #"""
  {"customData": [{"id": 1, "index": 1, "name": "plan"}, {"id": 2, "index": 2, "name": "city"}],
   "segments": [
     {"id": 10, "conditionsData": {"firstLevel": [{"conditions": [
       {"targetingType": "CUSTOM_DATUM", "customDataIndex": "1", "valueMatchType": "UNDEFINED"},
       {"targetingType": "SEGMENT", "segmentId": 11}]}]}},
     {"id": 11, "conditionsData": {"firstLevel": [{"conditions": [
       {"targetingType": "DEVICE_TYPE", "device": "PHONE"}]}]}}],
   "holdout": {"experimentId": 5, "variationByExposition": [
     {"variationKey": "in-holdout", "variationId": 6, "exposition": 1}]},
   "featureFlags": [
     {"id": 20, "featureKey": "a", "environmentEnabled": true, "defaultVariationKey": "off",
      "mutuallyExclusiveGroup": "g", "bucketingCustomDataId": 2,
      "variations": [{"key": "off"}, {"key": "on", "variables": [
        {"key": "v", "type": "NUMBER", "value": 1}, {"key": "w", "type": "NUMBER", "value": 1}]}],
      "rules": [
        {"id": 30, "type": "EXPERIMENTATION", "exposition": 0.5, "segmentId": 10,
         "experimentId": 40, "variationByExposition": [
           {"variationKey": "off", "variationId": 50, "exposition": 0.1},
           {"variationKey": "on", "variationId": 51, "exposition": 0.2},
           {"variationKey": "off", "variationId": 52, "exposition": 0.7}]},
        {"id": 31, "type": "TARGETED_DELIVERY", "exposition": 1, "experimentId": 41,
         "variationByExposition": [{"variationKey": "on", "variationId": 53, "exposition": 1}]}]},
     {"id": 21, "featureKey": "b", "environmentEnabled": true, "defaultVariationKey": "off",
      "mutuallyExclusiveGroup": "g", "bucketingCustomDataId":2, "variations": [{"key": "off"}]}]}
  """#

private let rule0 = "featureFlags[0].rules[0]"
private let rule1 = "featureFlags[0].rules[1]"

let mistakes: [Mistake] = [
  Mistake(
    #""exposition": 0.7}"#, #""exposition": 0.6}"#,
    "\(rule0).variationByExposition: the expositions sum to 0.9, not 1; the rest goes on to the "
      + "next rule [split-sum]"),
  Mistake(
    #""variationId": 53, "exposition": 1}"#, #""variationId": 53, "exposition": 0.5}"#,
    "\(rule1).variationByExposition: the expositions sum to 0.5, not 1; a delivery serves its "
      + "first entry to all it admits [split-sum]"),
  Mistake(
    #""variationId": 6, "exposition": 1}"#, #""variationId": 6, "exposition": 0.05}"#,
    "holdout.variationByExposition: the expositions sum to 0.05, not 1; the rest takes part "
      + "[split-sum]"),
  Mistake(
    #"[{"variationKey": "on", "variationId": 53, "exposition": 1}]"#, "[]",
    "\(rule1).variationByExposition: the split is empty; it serves nothing [split-sum]"),
  Mistake(
    #""exposition": 0.5, "segmentId": 10,"#, #""exposition": 1,"#,
    "\(rule1): is never reached: \(rule0) decides for every visitor [unreachable-rule]"),
  Mistake(
    #""EXPERIMENTATION", "exposition": 0.5, "segmentId": 10,"#,
    #""TARGETED_DELIVERY", "exposition": 0.5,"#,
    "\(rule1): is never reached: \(rule0) decides for every visitor [unreachable-rule]"),
  Mistake(
    #""segmentId": 10,"#, #""segmentId": 19,"#,
    "\(rule0).segmentId: no segment has the id 19; the rule is open to everybody "
      + "[unknown-segment]"),
  Mistake(
    #""segmentId": 11}"#, #""segmentId": 19}"#,
    "segments[0].conditionsData.firstLevel[0].conditions[1]: never matches: no segment has the "
      + "id 19 [never-matches]",
    "\(rule0): targets nobody: the segment 10 never matches [unreachable-rule]"),
  Mistake(
    #""customDataIndex": "1""#, #""customDataIndex": "9""#,
    "segments[0].conditionsData.firstLevel[0].conditions[0].customDataIndex: customData declares "
      + "no index 9 [unknown-custom-data]"),
  Mistake(
    #""bucketingCustomDataId": 2"#, #""bucketingCustomDataId": 9"#,
    "featureFlags[0].bucketingCustomDataId: customData has no id 9; the flag is bucketed by "
      + "visitor code [unknown-custom-data]",
    "featureFlags[1].bucketingCustomDataId: flags of the group \"g\" are bucketed by different keys; "
      + "a visitor may get several of them [group-bucketing]"),
  Mistake(
    #""variationKey": "on", "variationId": 51"#, #""variationKey": "onn", "variationId": 51"#,
    "\(rule0).variationByExposition[1].variationKey: the flag has no variation \"onn\"; it is "
      + "served without name and variables [unknown-variation]"),
  Mistake(
    #""defaultVariationKey": "off","#
      + "\n    \"mutuallyExclusiveGroup\": \"g\", \"bucketingCustomDataId\": 2",
    #""defaultVariationKey": "of","#
      + "\n    \"mutuallyExclusiveGroup\": \"g\", \"bucketingCustomDataId\": 2",
    "featureFlags[0].defaultVariationKey: the flag has no variation \"of\"; it is served without "
      + "name and variables [unknown-default]"),
  Mistake(
    #""defaultVariationKey": "off","#
      + "\n    \"mutuallyExclusiveGroup\": \"g\", \"bucketingCustomDataId\": 2",
    "\"mutuallyExclusiveGroup\": \"g\", \"bucketingCustomDataId\": 2",
    "featureFlags[0].defaultVariationKey: the flag names no default variation; visitors without "
      + "outcome get an empty key, which counts as active [missing-default]"),
  Mistake(
    #""featureKey": "b""#, #""featureKey": "a""#,
    "featureFlags[1].featureKey: \"a\" stands at featureFlags[0].featureKey already; the later "
      + "flag hides the earlier one [duplicate-key]"),
  Mistake(
    #""id": 21"#, #""id": 20"#,
    "featureFlags[1].id: 20 stands at featureFlags[0].id already; conditions and groups cannot "
      + "tell them apart [duplicate-id]"),
  Mistake(
    #""id": 31"#, #""id": 30"#,
    "\(rule1).id: 30 stands at \(rule0).id already; both rules admit the same visitors "
      + "[duplicate-id]"),
  Mistake(
    #""experimentId": 41"#, #""experimentId": 40"#,
    "\(rule1).experimentId: 40 stands at \(rule0).experimentId already; both rules split visitors "
      + "alike, and forcing a variation uses the last [duplicate-id]"),
  Mistake(
    #""variationId": 51"#, #""variationId": 50"#,
    "\(rule0).variationByExposition[1].variationId: 50 stands at "
      + "\(rule0).variationByExposition[0].variationId already; tracking cannot tell them apart "
      + "[duplicate-id]"),
  Mistake(
    #"{"key": "w","#, #"{"key": "v","#,
    "featureFlags[0].variations[1].variables[1].key: \"v\" stands at "
      + "featureFlags[0].variations[1].variables[0].key already; the last variable counts "
      + "[duplicate-key]"),
  Mistake(
    #""name": "city""#, #""name": "plan""#,
    "customData[1].name: \"plan\" stands at customData[0].name already; the last one counts "
      + "[duplicate-key]"),
  Mistake(
    #""exposition": 0.5, "segmentId": 10"#, #""exposition": 1.5, "segmentId": 10"#,
    "\(rule0).exposition: 1.5 is outside 0…1 [exposition]"),
  Mistake(
    #"{"targetingType": "DEVICE_TYPE", "device": "PHONE"}"#,
    #"{"targetingType": "SEGMENT", "segmentId": 10}"#,
    "segments[0].conditionsData: segments refer to each other in a circle (10 → 11 → 10); the "
      + "reference back never matches [segment-cycle]"),
  Mistake(
    #""mutuallyExclusiveGroup": "g", "bucketingCustomDataId":2, "#, "",
    "featureFlags[0].mutuallyExclusiveGroup: no other flag is in the group \"g\"; it excludes "
      + "nothing [lone-group-member]"),
  Mistake(
    #""mutuallyExclusiveGroup": "g", "bucketingCustomDataId":2, "#,
    #""mutuallyExclusiveGroup": "g", "#,
    "featureFlags[1].bucketingCustomDataId: flags of the group \"g\" are bucketed by different keys; "
      + "a visitor may get several of them [group-bucketing]"),
  Mistake(
    #""featureKey": "b", "environmentEnabled": true"#,
    #""featureKey": "b", "environmentEnabled": false"#,
    "featureFlags[1].environmentEnabled: \"b\" is switched off and still takes its share, 1 of 2, of "
      + "the visitors of the group \"g\", who get no flag of it [disabled-group-member]"),
  Mistake(
    #""featureKey": "b""#, #""featureKey": "A""#,
    "featureFlags[1].featureKey: \"A\" differs from \"a\" at featureFlags[0].featureKey only by "
      + "case; they are two different names [similar-key]"),
  Mistake(
    #"{"key": "w","#, #"{"key": "V","#,
    "featureFlags[0].variations[1].variables[1].key: \"V\" differs from \"v\" at "
      + "featureFlags[0].variations[1].variables[0].key only by case; they are two different names "
      + "[similar-key]"),
  Mistake(
    #""name": "plan"}, {"id": 2, "index": 2, "name": "city""#,
    #""name": "\u00e9t\u00e9"}, {"id": 2, "index": 2, "name": "e\u0301te\u0301""#,
    "customData[1].name: \"e\u{301}te\u{301}\" differs from \"\u{E9}t\u{E9}\" at customData[0].name "
      + "only by Unicode normalisation; they are two different names [similar-key]"),
  Mistake(
    #""EXPERIMENTATION""#, #""ROLLOUT""#,
    "\(rule0).type: \"ROLLOUT\" is no type of a rule; it is processed like an experiment that consent "
      + "does not block [unknown-rule-type]"),
  Mistake(
    #""in-holdout""#, #""in_holdout""#,
    "holdout.variationByExposition: no entry is called \"in-holdout\"; the holdout keeps nobody out "
      + "[open-holdout]"),
  Mistake(
    #""featureKey": "b", "environmentEnabled": true"#,
    #""featureKey": "b", "environmentEnabled": 1"#,
    "featureFlags[1].environmentEnabled: has the wrong type; flag \"b\" left out [unreadable]",
    "featureFlags[1].environmentEnabled: \"b\" is switched off and still takes its share, 1 of 2, of "
      + "the visitors of the group \"g\", who get no flag of it [disabled-group-member]"),
]

/// A condition put in the place of a good one, and the findings for it.
struct ConditionMistake: Sendable, CustomTestStringConvertible {
  let condition: String
  let findings: [String]
  init(_ condition: String, _ findings: String...) {
    self.condition = condition
    self.findings = findings
  }
  var testDescription: String { condition }
}

/// The rule of the segment is told as well where the condition, and with it the segment, never holds.
private let never = "rule"

let conditionMistakes: [ConditionMistake] = [
  ConditionMistake(
    #"{"targetingType": "SKY_STATUS"}"#,
    "never matches: this version does not know the condition type \"SKY_STATUS\" "
      + "[unknown-condition-type]", never),
  ConditionMistake(
    #"{"targetingType": "VISITOR_CODE", "matchType": "REGULAR_EXPRESSION", "visitorCode": "(a"}"#,
    "never matches: invalid regular expression: missing closing parenthesis at offset 2 "
      + "[invalid-pattern]", never),
  ConditionMistake(
    #"{"targetingType": "APPLICATION_VERSION", "versionMatchType": "GREATER", "version": "v2"}"#,
    "never matches: \"version\" is missing or has an unknown value [invalid-version]", never),
  ConditionMistake(
    #"{"targetingType": "DEVICE_TYPE", "device": "FRIDGE"}"#,
    "never matches: \"device\" is missing or has an unknown value [never-matches]", never),
  ConditionMistake(
    #"{"targetingType": "TARGET_FEATURE_FLAG", "featureFlagId": 99}"#,
    "never matches: no flag has the id 99 [never-matches]", never),
  ConditionMistake(
    #"{"targetingType": "CUSTOM_DATUM", "customDataIndex": "1", "valueMatchType": "AMONG_VALUES", "value": "[null]"}"#,
    "the list of values is empty; the condition never holds [impossible-value]", never),
  ConditionMistake(
    #"{"targetingType": "CUSTOM_DATUM", "customDataIndex": " 1", "valueMatchType": "TRUE"}"#,
    "\" 1\" is no index of custom data; the condition never holds [impossible-value]", never),
  ConditionMistake(
    #"{"targetingType": "VISITS", "matchType": "LOWER", "visitCount": 1}"#,
    "a visitor has 1 visit at least; the condition never holds [impossible-value]", never),
  ConditionMistake(
    #"{"targetingType": "PAGE_VIEWS", "matchType": "EQUAL", "pageCount": 1.5}"#,
    "1.5 is no count; the condition never holds [impossible-value]", never),
  ConditionMistake(
    #"{"targetingType": "SAME_DAY_VISITS", "matchType": "EQUAL", "visitCount": -1, "isInclude": false}"#,
    "visits are not below 0; the condition always holds, because it excludes [impossible-value]"),
  ConditionMistake(
    #"{"targetingType": "HEAT_SLICE", "keyMomentId": 1, "goalId": 1, "lowerBound": 9, "upperBound": 2}"#,
    "the lower bound 9.0 is above the upper bound 2.0; the condition never holds "
      + "[impossible-value]", never),
  ConditionMistake(
    #"{"targetingType": "APPLICATION_VERSION", "versionMatchType": "LOWER", "version": "0.0"}"#,
    "no version is lower than 0; the condition never holds [impossible-value]", never),
  ConditionMistake(
    #"{"targetingType": "VISITOR_CODE", "matchType": "EXACT", "visitorCode": ""}"#,
    "a visitor code has 1 to 255 characters; the condition never holds [impossible-value]", never),
  ConditionMistake(
    #"{"targetingType": "TARGET_EXPERIMENT", "experimentId": 99, "variationMatchType": "ANY"}"#,
    "no rule has the experiment 99; the condition never holds unless such an assignment comes from "
      + "elsewhere [unknown-reference]"),
  ConditionMistake(
    #"{"targetingType": "TARGET_EXPERIMENT", "experimentId": 40, "variationMatchType": "EXACT", "variationId": 9}"#,
    "the experiment 40 has no variation 9; the condition never holds unless such an assignment "
      + "comes from elsewhere [unknown-reference]"),
  ConditionMistake(
    #"{"targetingType": "TARGET_FEATURE_FLAG", "featureFlagId": 20, "ruleId": 9}"#,
    "the flag 20 has no rule 9; the condition never holds unless such an assignment comes from "
      + "elsewhere [unknown-reference]"),
  ConditionMistake(
    #"{"targetingType": "TARGET_FEATURE_FLAG", "featureFlagId": 20, "variationKey": "x"}"#,
    "no rule of the flag 20 serves \"x\"; the condition never holds unless such an assignment comes "
      + "from elsewhere [unknown-reference]"),
  ConditionMistake(
    #"{"targetingType": "TARGET_FEATURE_FLAG", "featureFlagId": 20, "ruleId": 30, "variationKey": "on"}"#
  ),
  ConditionMistake(
    #"{"targetingType": "TARGET_EXPERIMENT", "experimentId": 40, "variationMatchType": "EXACT", "variationId": 51}"#
  ),
]

@Suite("Lint")
struct LintTests {
  private func lines(_ text: String) throws -> [String] {
    let report = try LintReport(checking: Array(text.utf8), sdk: testSDK)
    return report.findings.map { "\($0.path): \($0.message) [\($0.code.rawValue)]" }
  }

  @Test("a correct file is clean, and so is the specification's example")
  func clean() throws {
    #expect(try lines(correctFile) == [])
    let example = try LintReport(checking: Repository.fixture("worked-example"), sdk: testSDK)
    #expect(
      example.findings.map(\.code) == [])
    #expect(example.isClean)
    #expect((example.flagCount, example.segmentCount) == (5, 2))
  }

  @Test("one mistake gives its finding and no other", arguments: mistakes)
  func finds(_ mistake: Mistake) throws {
    let text = correctFile.replacing(mistake.old, with: mistake.new)
    #expect(text != correctFile)
    #expect(try lines(text) == mistake.findings)
  }

  @Test("a mistake in a condition gives its finding", arguments: conditionMistakes)
  func conditions(_ mistake: ConditionMistake) throws {
    let text = correctFile.replacing(
      #"{"targetingType": "DEVICE_TYPE", "device": "PHONE"}"#, with: mistake.condition)
    #expect(text != correctFile)
    let path = "segments[1].conditionsData.firstLevel[0].conditions[0]"
    let expected = mistake.findings.map { finding in
      finding == never
        ? "\(rule0): targets nobody: the segment 10 never matches [unreachable-rule]"
        : "\(path): \(finding)"
    }
    #expect(try lines(text) == expected)
  }

  @Test("whom a segment reaches follows from its tree by the grouping rule")
  func reach() throws {
    let yes = #"{"targetingType": "SKY_STATUS", "isInclude": false}"#
    let no = #"{"targetingType": "SKY_STATUS"}"#
    let open = #"{"targetingType": "DEVICE_TYPE", "device": "PHONE"}"#
    let conditions = ["y": yes, "n": no, "o": open]
    func reach(_ operands: String, _ operators: String) throws -> String {
      let list = operands.compactMap { conditions[String($0)] }.joined(separator: ", ")
      let text =
        #"{"segments": [{"id": 1, "conditionsData": {"firstLevel": [{"conditions": [\#(list)], "#
        + #""orOperators": [\#(operators)]}]}}]}"#
      let elements = Lint.elements("segments", of: try JSONValue(parsing: text), at: "")
      let reach = SegmentReach(
        elements, positions: [1: 0],
        neverMatching: Set(try snapshot(text).diagnostics.map(\.path)))
      return reach.everybody.isEmpty ? reach.nobody.isEmpty ? "some" : "nobody" : "everybody"
    }
    #expect(try reach("", "") == "everybody")
    #expect(try reach("n", "") == "nobody")
    #expect(try reach("yn", "false") == "nobody")
    #expect(try reach("yn", "true") == "everybody")
    #expect(try reach("on", "false") == "nobody")
    #expect(try reach("on", "true") == "some")
    #expect(try reach("oy", "true") == "everybody")
    // a AND b AND c OR d is (a AND b) AND (c OR d).
    #expect(try reach("nyyy", "false, false, true") == "nobody")
    #expect(try reach("yyny", "false, false, true") == "everybody")
    // a OR b AND c OR d is a OR ((b AND c) OR d).
    #expect(try reach("nyny", "true, false, true") == "everybody")
    #expect(try reach("nynn", "true, false, true") == "nobody")
    // a AND b OR c AND d is (a AND b) OR (c AND d).
    #expect(try reach("ynyy", "false, true, false") == "everybody")
    #expect(try reach("ynyn", "false, true, false") == "nobody")
  }

  @Test("what is told to reach nobody or everybody does, for all visitors of damaged files")
  func reachHolds() throws {
    var mutator = Mutator(seed: 5)
    let people = try variedPopulation(40)
    let document = try JSONValue(parsing: try Repository.dataFile("targeting"))
    var told = 0
    for _ in 0..<60 {
      let text = mutator.mutate(mutator.mutate(document)).text()
      let bytes = Array(text.utf8)
      guard let file = try? Snapshot(DataFile(parsing: bytes), sdk: testSDK) else { continue }
      _ = try LintReport(checking: bytes, sdk: testSDK)
      let elements = Lint.elements("segments", of: try JSONValue(parsing: text), at: "")
      var positions: [Int64: Int] = [:]
      for (position, element) in elements.enumerated() {
        if let id = element.value["id"]?.integerValue { positions[id] = position }
      }
      let reach = SegmentReach(
        elements, positions: positions, neverMatching: Set(file.diagnostics.map(\.path)))
      for (ids, answer) in [(reach.everybody, true), (reach.nobody, false)] {
        for id in ids {
          guard let position = file.segments.position(of: id) else { continue }
          told += 1
          for number in 1...people.count {
            let record = people.record(of: number, catalogue: file.customData)
            let matches = file.segments.matches(
              segmentAt: position, visitorCode: people.visitorCode(number), record: record,
              at: people.moment, campaign: 1)
            #expect(matches == answer, "segment \(id)")
          }
        }
      }
    }
    #expect(told > 50)
  }

  @Test("a long chain of segments is walked without recursion, its circle told shortly")
  func longCycle() throws {
    let count = 20_000
    let segments = (0..<count).map {
      #"{"id": \#($0), "conditionsData": {"firstLevel": [{"conditions": ["#
        + #"{"targetingType": "SEGMENT", "segmentId": \#(($0 + 1) % count)}]}]}}"#
    }
    let lines = try lines(#"{"segments": [\#(segments.joined(separator: ","))]}"#)
    #expect(lines.count == 1)
    #expect(
      lines[0].hasPrefix(
        "segments[0].conditionsData: segments refer to each other in a circle "
          + "(0 → 1 → 2 → 3 → 4 → 5 → … → 0);"))
  }

  @Test("every finding has a stable code, a severity, a place and a next step")
  func documents() throws {
    let text = correctFile.replacing(#""id": 31"#, with: #""id": 30"#)
    let document = try LintReport(checking: Array(text.utf8), sdk: testSDK).document
    #expect(
      document.objectValue?.map(\.key) == [
        "clean", "errors", "warnings", "flags", "segments", "findings",
      ])
    #expect(
      document["findings"]?[0] == [
        "severity": "error", "code": "duplicate-id", "path": "featureFlags[0].rules[1].id",
        "message":
          "30 stands at featureFlags[0].rules[0].id already; both rules admit the same visitors",
        "advice": "change or remove one of them",
      ])
    #expect(document["errors"] == 1)
    for name in Repository.dataFileNames {
      let report = try LintReport(checking: Repository.dataFile(name), sdk: testSDK)
      for finding in report.findings {
        #expect(!finding.path.isEmpty && !finding.message.isEmpty && !finding.advice.isEmpty)
        #expect(finding.sentence == "\(finding.message); \(finding.advice)")
      }
    }
  }

  @Test("every code is found by some test")
  func codes() throws {
    let texts =
      mistakes.map { correctFile.replacing($0.old, with: $0.new) }
      + conditionMistakes.map {
        correctFile.replacing(
          #"{"targetingType": "DEVICE_TYPE", "device": "PHONE"}"#, with: $0.condition)
      }
    let found = try texts.flatMap {
      try LintReport(checking: Array($0.utf8), sdk: testSDK).findings.map(\.code)
    }
    #expect(Set(Finding.Code.allCases).subtracting(found).isEmpty)
  }

  @Test("sums are told without the noise of binary fractions")
  func sums() throws {
    let file = oneRule(
      split:
        #"[{"variationKey": "off", "exposition": 0.3}, {"variationKey": "on", "exposition": 0.3}, "#
        + #"{"variationKey": "off", "exposition": 0.3}]"#)
    #expect(try lines(file)[0].contains("sum to 0.9, not 1"))
  }

  @Test("what is no data file is refused as a whole")
  func refused() {
    for text in ["", "[]", "{", #"{"featureFlags": {}}"#] {
      #expect(throws: DataFileError.self) {
        try LintReport(checking: Array(text.utf8), sdk: testSDK)
      }
    }
  }
}
