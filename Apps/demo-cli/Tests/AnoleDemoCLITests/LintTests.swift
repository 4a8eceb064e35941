// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleDemoCLI

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
     {"id": 20, "featureKey": "a", "defaultVariationKey": "off", "mutuallyExclusiveGroup": "g",
      "bucketingCustomDataId": 2,
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
     {"id": 21, "featureKey": "b", "defaultVariationKey": "off", "mutuallyExclusiveGroup": "g",
      "variations": [{"key": "off"}], "rules": []}]}
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
      + "id 19 [compiling]"),
  Mistake(
    #""customDataIndex": "1""#, #""customDataIndex": "9""#,
    "segments[0].conditionsData.firstLevel[0].conditions[0].customDataIndex: customData declares "
      + "no index 9 [unknown-custom-data]"),
  Mistake(
    #""bucketingCustomDataId": 2"#, #""bucketingCustomDataId": 9"#,
    "featureFlags[0].bucketingCustomDataId: customData has no id 9; the flag is bucketed by "
      + "visitor code [unknown-custom-data]"),
  Mistake(
    #""variationKey": "on", "variationId": 51"#, #""variationKey": "onn", "variationId": 51"#,
    "\(rule0).variationByExposition[1].variationKey: the flag has no variation \"onn\"; it is "
      + "served without name and variables [unknown-variation]"),
  Mistake(
    #""defaultVariationKey": "off", "mutuallyExclusiveGroup": "g","# + "\n    \"bucketing",
    #""defaultVariationKey": "of", "mutuallyExclusiveGroup": "g","# + "\n    \"bucketing",
    "featureFlags[0].defaultVariationKey: the flag has no variation \"of\"; it is served without "
      + "name and variables [unknown-default]"),
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
    #""defaultVariationKey": "off", "mutuallyExclusiveGroup": "g","#
      + "\n    \"variations\": [{\"key\": \"off\"}], \"rules\"",
    #""defaultVariationKey": "off", "variations": [{"key": "off"}], "rules""#,
    "featureFlags[0].mutuallyExclusiveGroup: no other flag is in the group \"g\"; it excludes "
      + "nothing [lone-group-member]"),
  Mistake(
    #""featureKey": "b","#, #""featureKey": "b", "environmentEnabled": 1,"#,
    "featureFlags[1].environmentEnabled: has the wrong type; flag \"b\" left out [reading]"),
]

@Suite("lint")
struct LintTests {
  @Test("a correct file is clean")
  func clean() async {
    let output = await run("lint", "f", files: ["f": correctFile])
    #expect(output == Output(lines: ["f: clean (2 flags, 2 segments)"], colouring: .findings))
  }

  @Test("the built-in shop and the specification's example are clean")
  func examples() async throws {
    #expect(await run("lint").text == "the built-in shop: clean (5 flags, 2 segments)\n")
    #expect(await run("lint", Place.workedExample).status == 0)
    let document = try await runJSON("lint")
    #expect(document == ["file": "the built-in shop", "clean": true, "findings": []])
  }

  @Test("one mistake gives one finding", arguments: mistakes)
  func finds(_ mistake: Mistake) async {
    let text = correctFile.replacing(mistake.old, with: mistake.new)
    #expect(text != correctFile)
    let output = await run("lint", "f", files: ["f": text])
    #expect(output.text.split(separator: "\n").dropLast().map(String.init) == mistake.findings)
    #expect(output.status == 1)
    #expect(output.remarks == [])
  }

  @Test("findings as JSON")
  func json() async throws {
    let text = correctFile.replacing(#""id": 31"#, with: #""id": 30"#)
    let document = try await runJSON("lint", "f", files: ["f": text])
    #expect(document["clean"] == false)
    #expect(document["findings"]?[0]?["path"] == "featureFlags[0].rules[1].id")
    #expect(document["findings"]?[0]?["check"] == "duplicate-id")
    #expect(document["findings"]?[1] == nil)
  }

  @Test("a long chain of segments is walked without recursion, its circle told shortly")
  func longCycle() async {
    let count = 20_000
    let segments = (0..<count).map {
      #"{"id": \#($0), "conditionsData": {"firstLevel": [{"conditions": ["#
        + #"{"targetingType": "SEGMENT", "segmentId": \#(($0 + 1) % count)}]}]}}"#
    }
    let text = #"{"segments": [\#(segments.joined(separator: ","))]}"#
    let output = await run("lint", "f", files: ["f": text])
    #expect(
      output.text.hasPrefix(
        "segments[0].conditionsData: segments refer to each other in a circle "
          + "(0 → 1 → 2 → 3 → 4 → 5 → … → 0);"))
  }
}
