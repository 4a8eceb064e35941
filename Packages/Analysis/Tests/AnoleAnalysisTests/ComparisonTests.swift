// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleEvaluation
import AnoleModels
import AnoleModelsTesting
import Testing

/// A file with one of everything that can change.
let wholeFile = #"""
  {"dateModified": 5, "configuration": {"realTimeUpdate": true, "dataApiDomain": "a.example"},
   "customData": [{"id": 1, "index": 1, "name": "plan", "scope": "VISIT"}],
   "segments": [
     {"id": 10, "audienceTracking": true, "conditionsData": {"firstLevel": [{"orOperators": [true],
       "conditions": [
       {"targetingType": "DEVICE_TYPE", "device": "PHONE", "id": 77},
       {"targetingType": "GEOLOCATION", "country": "France", "isInclude": false}]}]}},
     {"id": 11}],
   "holdout": {"experimentId": 5, "variationByExposition": [
     {"variationKey": "in-holdout", "variationId": 6, "exposition": 0.1},
     {"variationKey": "out", "variationId": 7, "exposition": 0.9}]},
   "featureFlags": [
     {"id": 20, "featureKey": "a", "environmentEnabled": true, "defaultVariationKey": "off",
      "variations": [{"key": "off"}, {"key": "on", "name": "On", "variables": [
        {"key": "v", "type": "NUMBER", "value": 1}]}],
      "rules": [
        {"id": 30, "type": "EXPERIMENTATION", "exposition": 0.5, "segmentId": 10,
         "experimentId": 40, "variationByExposition": [
           {"variationKey": "off", "variationId": 50, "exposition": 0.25},
           {"variationKey": "on", "variationId": 51, "exposition": 0.75}]},
        {"id": 31, "type": "TARGETED_DELIVERY", "exposition": 1, "experimentId": 41,
         "variationByExposition": [{"variationKey": "on", "variationId": 53, "exposition": 1}]}]},
     {"id": 21, "featureKey": "b", "environmentEnabled": true, "defaultVariationKey": "off",
      "mutuallyExclusiveGroup": "g", "variations": [{"key": "off"}], "rules": []}]}
  """#

/// A replacement and the changes it must yield: kind and sentence.
struct ChangeCase: Sendable, CustomTestStringConvertible {
  let old: String
  let new: String
  let changes: [String]
  init(_ old: String, _ new: String, _ changes: String...) {
    self.old = old
    self.new = new
    self.changes = changes
  }
  var testDescription: String { changes.first ?? "no change: \(new)" }
}

let changeCases: [ChangeCase] = [
  ChangeCase(#""dateModified": 5"#, #""dateModified": 6, "unknown": 1"#),
  ChangeCase(#""id": 77"#, #""weight": 3, "isInclude": null"#),
  ChangeCase(#""exposition": 1,"#, #""exposition": 1.0, "respoolTime": 0,"#),
  ChangeCase(
    #""realTimeUpdate": true"#, #""realTimeUpdate": false"#,
    "configuration: configuration: realTimeUpdate was true, is false"),
  ChangeCase(
    #""a.example""#, "null",
    #"configuration: configuration: dataApiDomain was "a.example", is null"#),
  ChangeCase(
    #""scope": "VISIT""#, #""scope": "VISIT", "localOnly": true"#,
    #"custom-data-changed: custom data 1: was {"id":1,"index":1,"name":"plan","scope":"VISIT","#
      + #""localOnly":false,"mappingIdentifier":false}, is {"id":1,"index":1,"name":"plan","#
      + #""scope":"VISIT","localOnly":true,"mappingIdentifier":false}"#),
  ChangeCase(
    #""PHONE""#, #""TABLET""#,
    "segment-conditions: segment 10: conditions changed, 1 gone, 1 new"
      + "\n- DEVICE_TYPE device=\"PHONE\"\n+ DEVICE_TYPE device=\"TABLET\""),
  ChangeCase(
    #", "isInclude": false"#, "",
    "segment-conditions: segment 10: conditions changed, 1 gone, 1 new"
      + "\n- NOT GEOLOCATION country=\"France\"\n+ GEOLOCATION country=\"France\""),
  ChangeCase(
    "[true]", "[false]",
    "segment-conditions: segment 10: the same conditions are joined or grouped otherwise"),
  ChangeCase(
    #""audienceTracking": true, "#, "",
    "segment-audience: segment 10 is no longer tracked as an audience"),
  ChangeCase(
    #"{"id": 11}"#, #"{"id": 12}"#, "segment-added: segment 12 is new",
    "segment-removed: segment 11 is gone"),
  ChangeCase(
    #""experimentId": 5,"#, #""experimentId": 8,"#,
    "holdout-experiment: the holdout has another experiment, was 5, is 8; every visitor is drawn "
      + "anew"),
  ChangeCase(
    #""exposition": 0.1}"#, #""exposition": 0.2}"#,
    "holdout-split: the holdout's split was in-holdout 0…0.1, out 0.1…1, is in-holdout 0…0.2, "
      + "out 0.2…1.1"),
  ChangeCase(
    #""holdout""#, #""x""#, "holdout-removed: the holdout is gone: in-holdout 0…0.1, out 0.1…1"),
  ChangeCase(
    #""featureKey": "b""#, #""featureKey": "c""#,
    #"flag-added: flag "c" is new (switched on, 0 rules)"#,
    #"flag-removed: flag "b" is gone (it was switched on, 0 rules)"#),
  ChangeCase(
    #""featureKey": "b", "environmentEnabled": true"#, #""featureKey": "b""#,
    #"flag-switched-off: flag "b" is switched off"#),
  ChangeCase(#""id": 21"#, #""id": 22"#, #"flag-id: flag "b": the id was 21, is 22"#),
  ChangeCase(
    #""mutuallyExclusiveGroup": "g""#, #""mutuallyExclusiveGroup": """#,
    #"flag-group: flag "b": the exclusive group was "g", is none"#),
  ChangeCase(
    #""mutuallyExclusiveGroup": "g""#,
    #""mutuallyExclusiveGroup": "g", "bucketingCustomDataId": 1"#,
    #"flag-bucketing: flag "b": was bucketed by visitor code, is by custom data with id 1"#),
  ChangeCase(
    #""defaultVariationKey": "off","# + "\n    \"variations\"",
    #""defaultVariationKey": "on","# + "\n    \"variations\"",
    #"flag-default: flag "a": the default variation was "off", is "on""#),
  ChangeCase(
    #"{"key": "on", "name": "On""#, #"{"key": "on", "name": "An""#,
    #"variation-name: flag "a", variation "on": the name was "On", is "An""#),
  ChangeCase(
    #"{"key": "off"}, {"key": "on""#, #"{"key": "aus"}, {"key": "on""#,
    #"variation-added: flag "a": variation "aus" is new"#,
    #"variation-removed: flag "a": variation "off" is gone"#),
  ChangeCase(
    #""value": 1}"#, #""value": 2}"#,
    #"variable-changed: flag "a", variation "on": variable "v" was 1 (NUMBER), is 2 (NUMBER)"#),
  ChangeCase(
    #"{"key": "v""#, #"{"key": "w""#,
    #"variable-added: flag "a", variation "on": variable "w" is new: 1 (NUMBER)"#,
    #"variable-removed: flag "a", variation "on": variable "v" is gone: 1 (NUMBER)"#),
  ChangeCase(
    #""id": 31, "#, #""id": 32, "#,
    #"rule-added: flag "a": rule 32 is new (TARGETED_DELIVERY, everybody, exposition 1.0, on 0…1)"#,
    #"rule-removed: flag "a": rule 31 is gone (it was TARGETED_DELIVERY, everybody, exposition 1.0, on 0…1)"#
  ),
  ChangeCase(
    #""EXPERIMENTATION""#, #""TARGETED_DELIVERY""#,
    #"rule-type: flag "a", rule 30: the type was "EXPERIMENTATION", is "TARGETED_DELIVERY""#),
  ChangeCase(
    #""exposition": 0.5"#, #""exposition": 0.6"#,
    #"rule-exposition: flag "a", rule 30: the exposition was 0.5, is 0.6"#),
  ChangeCase(
    #""experimentId": 40"#, #""experimentId": 42"#,
    #"rule-experiment: flag "a", rule 30: the experiment was 40, is 42"#),
  ChangeCase(
    #""segmentId": 10,"#, "", #"rule-segment: flag "a", rule 30: the segment was 10, is everybody"#),
  ChangeCase(
    #""segmentId": 10,"#, #""segmentId": 10, "respoolTime": 9,"#,
    #"rule-respool: flag "a", rule 30: the respool time was none, is 9; every visitor is drawn anew"#
  ),
  ChangeCase(
    #""exposition": 0.25"#, #""exposition": 0.3"#,
    #"rule-split: flag "a", rule 30: the split was off 0…0.25, on 0.25…1, is off 0…0.3, on 0.3…1.05"#
  ),
]

@Suite("Comparison of data files")
struct ComparisonTests {
  private func changes(_ old: String, _ new: String) throws -> [Change] {
    try DataFileComparison(
      DataFile(parsing: Array(old.utf8)), DataFile(parsing: Array(new.utf8))
    ).changes
  }

  @Test("one change gives one line, and back again the opposite", arguments: changeCases)
  func finds(_ row: ChangeCase) throws {
    let text = wholeFile.replacing(row.old, with: row.new)
    #expect(text != wholeFile)
    let changes = try changes(wholeFile, text)
    let lines = changes.map {
      (["\($0.kind.rawValue): \($0.sentence)"] + $0.details).joined(separator: "\n")
    }
    #expect(lines == row.changes)
    #expect(try self.changes(text, wholeFile).count == row.changes.count)
    #expect(Set(changes.map(\.document)).count == changes.count)
  }

  @Test("rules and flags in another order")
  func order() throws {
    var value = try JSONValue(parsing: wholeFile)
    func reverse(_ value: JSONValue, _ key: String) -> JSONValue {
      .object(
        (value.objectValue ?? []).map { member in
          guard member.key == key else { return member }
          return JSONValue.Member(
            key: key, value: .array((member.value.arrayValue ?? []).reversed()))
        })
    }
    let flags = reverse(value, "featureFlags")
    #expect(try changes(wholeFile, flags.text()).map(\.kind) == [.flagOrder])
    let rules = JSONValue.array(
      (value["featureFlags"]?.arrayValue ?? []).map { reverse($0, "rules") })
    value = .object(
      (value.objectValue ?? []).map {
        $0.key == "featureFlags" ? JSONValue.Member(key: $0.key, value: rules) : $0
      })
    let change = try #require(try changes(wholeFile, value.text()).first)
    #expect(change.kind == .ruleOrder)
    #expect(change.sentence == "flag \"a\": the rules stood in the order 30, 31, stand in 31, 30")
  }

  @Test("every kind of change that a document names is used")
  func kinds() throws {
    #expect(Set(Change.Kind.allCases.map(\.rawValue)).count == Change.Kind.allCases.count)
    let change = try #require(
      try changes(wholeFile, wholeFile.replacing("0.75", with: "0.5")).first)
    #expect(
      change.document.objectValue?.map(\.key) == [
        "kind", "flag", "ruleId", "before", "after", "sentence", "details",
      ])
    #expect(
      change.document["before"]?[1] == [
        "variation": "on", "variationId": 51, "from": 0.25, "to": 1.0,
      ])
    #expect(change.document["ruleId"] == 30)
  }

  @Test("a file and itself have no difference, whatever is in it")
  func same() throws {
    for (name, file) in try Repository.snapshots() {
      let comparison = DataFileComparison(file.dataFile, file.dataFile)
      #expect(comparison.isEmpty, "\(name)")
      #expect(comparison.affectedFlags == [], "\(name)")
    }
  }

  @Test("damaged files are compared without harm, and differ from themselves in nothing")
  func damaged() throws {
    var mutator = Mutator(seed: 11)
    var last = DataFile()
    var compared = 0
    for name in Repository.dataFileNames {
      let document = try JSONValue(parsing: try Repository.dataFile(name))
      for _ in 0..<40 {
        let bytes = Array(mutator.mutate(document).text().utf8)
        guard let file = try? DataFile(parsing: bytes) else { continue }  // Refused as a whole.
        #expect(DataFileComparison(file, file).isEmpty)
        let comparison = DataFileComparison(last, file)
        #expect(comparison.isEmpty == (comparison.changes.isEmpty))
        for change in comparison.changes {
          #expect(try JSONValue(parsing: change.document.text()) == change.document)
        }
        compared += 1
        last = file
      }
    }
    #expect(compared > 500)
  }
}
