// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

struct LeniencyCase: Sendable, CustomTestStringConvertible {
  let text: String
  let paths: [String]
  init(_ text: String, _ paths: String...) {
    self.text = text
    self.paths = paths
  }
  var testDescription: String { text }
}

/// Elements between two readable flags, one rule, one variation or one variable; what stands in
/// the place of `#` must be left out, and the neighbours must stay.
private let flagCases: [LeniencyCase] = [
  LeniencyCase("null", "featureFlags[1]"),
  LeniencyCase("7", "featureFlags[1]"),
  LeniencyCase("[]", "featureFlags[1]"),
  LeniencyCase(#"{"id":"1"}"#, "featureFlags[1].id"),
  LeniencyCase(#"{"id":1.5}"#, "featureFlags[1].id"),
  LeniencyCase(#"{"id":true}"#, "featureFlags[1].id"),
  LeniencyCase(#"{"id":9223372036854775808}"#, "featureFlags[1].id"),
  LeniencyCase(#"{"featureKey":1}"#, "featureFlags[1].featureKey"),
  LeniencyCase(#"{"environmentEnabled":1}"#, "featureFlags[1].environmentEnabled"),
  LeniencyCase(#"{"environmentEnabled":"true"}"#, "featureFlags[1].environmentEnabled"),
  LeniencyCase(#"{"defaultVariationKey":[]}"#, "featureFlags[1].defaultVariationKey"),
  LeniencyCase(#"{"variations":{}}"#, "featureFlags[1].variations"),
  LeniencyCase(#"{"rules":"x"}"#, "featureFlags[1].rules"),
  LeniencyCase(#"{"mutuallyExclusiveGroup":1}"#, "featureFlags[1].mutuallyExclusiveGroup"),
  LeniencyCase(#"{"bucketingCustomDataId":"1"}"#, "featureFlags[1].bucketingCustomDataId"),
]

private let ruleCases: [LeniencyCase] = [
  LeniencyCase("null", ""),
  LeniencyCase("[1]", ""),
  LeniencyCase("{}", ".id"),
  LeniencyCase(#"{"id":null,"type":"EXPERIMENTATION"}"#, ".id"),
  LeniencyCase(#"{"id":"5"}"#, ".id"),
  LeniencyCase(#"{"id":5,"order":"1"}"#, ".order"),
  LeniencyCase(#"{"id":5,"type":1}"#, ".type"),
  LeniencyCase(#"{"id":5,"exposition":"0.5"}"#, ".exposition"),
  LeniencyCase(#"{"id":5,"exposition":true}"#, ".exposition"),
  LeniencyCase(#"{"id":5,"exposition":1e400}"#, ".exposition"),
  LeniencyCase(#"{"id":5,"experimentId":"x"}"#, ".experimentId"),
  LeniencyCase(#"{"id":5,"segmentId":"8001"}"#, ".segmentId"),
  LeniencyCase(#"{"id":5,"respoolTime":"now"}"#, ".respoolTime"),
  LeniencyCase(#"{"id":5,"variationByExposition":{}}"#, ".variationByExposition"),
  LeniencyCase(
    #"{"id":5,"variationByExposition":[{},null]}"#, ".variationByExposition[1]",
    ".variationByExposition"),
  LeniencyCase(
    #"{"id":5,"variationByExposition":[{"exposition":"1"},{}]}"#, ".variationByExposition[0]",
    ".variationByExposition"),
  LeniencyCase(
    #"{"id":5,"variationByExposition":[{},{"variationKey":1},{"variationId":"2"}]}"#,
    ".variationByExposition[1]", ".variationByExposition[2]", ".variationByExposition"),
]

private let variationCases: [LeniencyCase] = [
  LeniencyCase("null", ""),
  LeniencyCase("\"on\"", ""),
  LeniencyCase(#"{"key":1}"#, ".key"),
  LeniencyCase(#"{"name":false}"#, ".name"),
  LeniencyCase(#"{"variables":{}}"#, ".variables"),
]

private let variableCases: [LeniencyCase] = [
  LeniencyCase("null", ""),
  LeniencyCase("3", ""),
  LeniencyCase(#"{"type":"STRING","value":"x"}"#, ""),
  LeniencyCase(#"{"key":null,"type":"STRING"}"#, ""),
  LeniencyCase(#"{"key":5,"type":"STRING"}"#, ""),
  LeniencyCase(#"{"key":"k","type":5}"#, ""),
]

@Suite("Unreadable elements of a data file")
struct DataFileLeniencyTests {
  @Test("an unreadable flag is left out, the others stay", arguments: flagCases)
  func flags(_ row: LeniencyCase) throws {
    let reading = try read(#"{"featureFlags":[{"id":1},\#(row.text),{"id":3}]}"#)
    #expect(reading.diagnostics.map(\.path) == row.paths)
    #expect(reading.dataFile.featureFlags.map(\.id) == [1, 3])
  }

  @Test("an unreadable rule is left out, the others stay", arguments: ruleCases)
  func rules(_ row: LeniencyCase) throws {
    let reading = try read(
      #"{"featureFlags":[{},{"id":2,"rules":[{"id":1},\#(row.text),{"id":3}]}]}"#)
    let paths = row.paths.map { "featureFlags[1].rules[1]\($0)" }
    #expect(reading.diagnostics.map(\.path) == paths)
    #expect(reading.dataFile.featureFlags[1].rules.map(\.id) == [1, 3])
  }

  @Test("an unreadable variation is left out, the others stay", arguments: variationCases)
  func variations(_ row: LeniencyCase) throws {
    let reading = try read(
      #"{"featureFlags":[{"variations":[{"key":"a"},\#(row.text),{"key":"c"}]}]}"#)
    #expect(
      reading.diagnostics.map(\.path) == row.paths.map { "featureFlags[0].variations[1]\($0)" })
    #expect(reading.dataFile.featureFlags.first?.variations.map(\.key) == ["a", "c"])
  }

  @Test("an unreadable variable is left out, the others stay", arguments: variableCases)
  func variables(_ row: LeniencyCase) throws {
    let reading = try read(
      """
      {"featureFlags":[{"variations":[{},{"key":"on","variables":
      [{"key":"a"},\(row.text),{"key":"c"}]}]}]}
      """)
    #expect(
      reading.diagnostics.map(\.path)
        == row.paths.map { "featureFlags[0].variations[1].variables[1]\($0)" })
    let variables = reading.dataFile.featureFlags.first?.variations[1].variables
    #expect(variables?.map(\.key) == ["a", "c"])
  }

  @Test("an unreadable custom datum is left out, one without index silently")
  func customData() throws {
    let reading = try read(
      """
      {"customData":[{"index":0},{"id":1,"name":"n"},null,{"index":"2"},{"index":3,"id":"x"},
      {"index":4,"name":1},{"index":5,"scope":1},{"index":6,"localOnly":"yes"},
      {"index":7,"isMappingIdentifier":1},{"index":8}]}
      """)
    #expect(reading.dataFile.customData.map(\.index) == [0, 8])
    #expect(
      reading.diagnostics.map(\.path) == [
        "customData[2]", "customData[3].index", "customData[4].id",
        "customData[5].name", "customData[6].scope", "customData[7].localOnly",
        "customData[8].isMappingIdentifier",
      ])
  }

  @Test("if several custom data claim to be the mapping identifier, a warning names the last")
  func mappingIdentifier() throws {
    let reading = try read(
      """
      {"customData":[{"index":1,"isMappingIdentifier":true},{"index":2},
      {"index":3,"isMappingIdentifier":true},{"isMappingIdentifier":true}]}
      """)
    #expect(reading.diagnostics.map(\.path) == ["customData"])
    #expect(reading.diagnostics.last?.message.contains("index 3") == true)
    #expect(CustomDataCatalogue(reading.dataFile.customData).mappingIndex == 3)
  }

  @Test("a segment without a readable id is left out")
  func segments() throws {
    let reading = try read(
      #"{"segments":[{"id":1},{},{"id":"2"},null,[],{"id":6,"audienceTracking":"x"},{"id":7}]}"#)
    #expect(reading.dataFile.segments.map(\.id) == [1, 6, 7])
    #expect(reading.dataFile.segments.map(\.isAudienceTracked) == [false, false, false])
    #expect(
      reading.diagnostics.map(\.path) == [
        "segments[1].id", "segments[2].id", "segments[3]", "segments[4]",
        "segments[5].audienceTracking",
      ])
  }

  @Test("a segment whose conditions are no object stays, and targets nobody")
  func unreadableConditions() throws {
    for value in ["[]", "\"x\"", "1", "true"] {
      let reading = try read("{\"segments\":[{\"id\":1},{\"conditionsData\":\(value),\"id\":2}]}")
      #expect(reading.dataFile.segments.map(\.id) == [1, 2])
      #expect(reading.dataFile.segments.map(\.conditions) == [.everybody, .unreadable])
      #expect(reading.diagnostics.map(\.path) == ["segments[1].conditionsData"])
    }
  }

  @Test("conditions that break the format inside are kept for who compiles them")
  func malformedConditions() throws {
    let reading = try read(#"{"segments":[{"id":1,"conditionsData":{"firstLevel":5}}]}"#)
    #expect(reading.diagnostics == [])
    guard case .tree(let raw)? = reading.dataFile.segments.first?.conditions else {
      Issue.record("the tree is kept")
      return
    }
    #expect(try raw.value() == ["firstLevel": 5])
  }

  @Test("an unreadable holdout is none, the rest of the file stays")
  func holdout() throws {
    for (value, paths) in [
      ("[]", ["holdout"]),
      ("{}", ["holdout.experimentId"]),
      (#"{"experimentId":"1"}"#, ["holdout.experimentId"]),
      (#"{"experimentId":1,"variationByExposition":{}}"#, ["holdout"]),
      (
        #"{"experimentId":1,"variationByExposition":[{},{"exposition":"x"}]}"#,
        ["holdout.variationByExposition[1]", "holdout"]
      ),
    ] {
      let reading = try read("{\"holdout\":\(value),\"featureFlags\":[{\"id\":1}]}")
      #expect(reading.dataFile.holdout == nil, "\(value)")
      #expect(reading.diagnostics.map(\.path) == paths, "\(value)")
      #expect(reading.dataFile.featureFlags.map(\.id) == [1])
    }
  }

  @Test("a setting of the wrong type has its default, the others stay")
  func settings() throws {
    let reading = try read(
      """
      {"configuration":{"realTimeUpdate":"true","consentType":true,"consentOptOutBehavior":1,
      "dataApiDomain":{}},"dateModified":"today","customData":{},"segments":1}
      """)
    #expect(reading.dataFile == DataFile())
    #expect(
      reading.diagnostics.map(\.path) == [
        "configuration.realTimeUpdate", "configuration.consentType",
        "configuration.consentOptOutBehavior", "configuration.dataApiDomain", "dateModified",
        "customData", "segments",
      ])
    let other = try read(#"{"configuration":{"realTimeUpdate":true,"consentType":1}}"#)
    #expect(other.dataFile.configuration.isRealTimeUpdate)
    #expect(try read("{\"configuration\":[]}").diagnostics.map(\.path) == ["configuration"])
  }

  @Test("a diagnostic says what was wrong and what follows")
  func messages() throws {
    let reading = try read(
      #"{"featureFlags":[{"featureKey":"f","id":"x"},{"rules":[{}]},{"rules":[{"id":1,"order":""}]}]}"#
    )
    #expect(
      reading.diagnostics.map(\.description) == [
        #"featureFlags[0].id: has the wrong type; flag "f" left out"#,
        "featureFlags[1].rules[0].id: is missing; rule left out",
        "featureFlags[2].rules[0].order: is unreadable; rule left out",
      ])
  }
}
