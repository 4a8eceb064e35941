// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

func read(_ text: String) throws(DataFileError) -> DataFile.Reading {
  try DataFile.read(Array(text.utf8))
}

private let flagFields = [
  "id", "featureKey", "environmentEnabled", "defaultVariationKey", "variations", "rules",
  "mutuallyExclusiveGroup", "bucketingCustomDataId",
]
private let ruleFields = [
  "order", "type", "exposition", "experimentId", "variationByExposition", "segmentId",
  "respoolTime",
]

/// An object whose fields are all `null`.
private func nulls(_ fields: [String], and more: String = "") -> String {
  "{" + (fields.map { "\"\($0)\":null" } + (more.isEmpty ? [] : [more])).joined(separator: ",")
    + "}"
}

@Suite("Data file defaults")
struct DataFileDefaultTests {
  @Test("an empty object, and one with nulls only, is a data file with the defaults")
  func root() throws {
    let fields = [
      "configuration", "customData", "segments", "featureFlags", "holdout", "dateModified",
    ]
    for text in ["{}", nulls(fields)] {
      let reading = try read(text)
      #expect(reading.diagnostics == [])
      #expect(reading.dataFile == DataFile())
      #expect(reading.dataFile.dateModified.milliseconds == 0)
      #expect(reading.dataFile.holdout == nil)
      #expect(reading.dataFile.featureFlags.isEmpty && reading.dataFile.segments.isEmpty)
    }
  }

  @Test("absent settings have their defaults")
  func configuration() throws {
    let fields = ["realTimeUpdate", "consentType", "consentOptOutBehavior", "dataApiDomain"]
    for object in ["{}", nulls(fields)] {
      let reading = try read("{\"configuration\":\(object)}")
      #expect(reading.diagnostics == [])
      let configuration = reading.dataFile.configuration
      #expect(!configuration.isRealTimeUpdate)
      #expect(!configuration.isConsentRequired)
      #expect(configuration.consentOptOutBehavior == .partiallyBlock)
      #expect(configuration.dataAPIDomain == nil)
    }
  }

  @Test("consent literals are compared exactly, and unknown ones mean the default")
  func consent() throws {
    for (type, isRequired) in [
      ("REQUIRED", true), ("NOT_REQUIRED", false), ("required", false), ("INTERACTIVE", false),
      (" REQUIRED", false), ("", false),
    ] {
      let reading = try read(#"{"configuration":{"consentType":"\#(type)"}}"#)
      #expect(reading.dataFile.configuration.isConsentRequired == isRequired, "\(type)")
      #expect(reading.diagnostics == [])
    }
    for (literal, behavior) in [
      ("FULLY_BLOCK", Configuration.ConsentOptOutBehavior.fullyBlock),
      ("PARTIALLY_BLOCK", .partiallyBlock), ("fully_block", .partiallyBlock),
      ("SOMETHING", .partiallyBlock),
    ] {
      let reading = try read(#"{"configuration":{"consentOptOutBehavior":"\#(literal)"}}"#)
      #expect(reading.dataFile.configuration.consentOptOutBehavior == behavior, "\(literal)")
      #expect(reading.diagnostics == [])
    }
  }

  @Test("a custom datum needs only its index")
  func customData() throws {
    let fields = ["id", "name", "scope", "localOnly", "isMappingIdentifier"]
    for object in ["{\"index\":7}", nulls(fields, and: "\"index\":7")] {
      let reading = try read("{\"customData\":[\(object)]}")
      #expect(reading.diagnostics == [])
      #expect(reading.dataFile.customData == [CustomDataDefinition(index: 7)])
    }
    let definition = CustomDataDefinition(index: 7)
    #expect(definition.id == nil && definition.name == nil && definition.scope == nil)
    #expect(!definition.isLocalOnly && !definition.isMappingIdentifier)
  }

  @Test("an unknown scope is kept as it stands")
  func scope() throws {
    let reading = try read(
      """
      {"customData":[{"index":1,"scope":"PAGE"},{"index":2,"scope":"VISIT"},
      {"index":3,"scope":"VISITOR"},{"index":4,"scope":"visitor"}]}
      """)
    #expect(reading.diagnostics == [])
    #expect(
      reading.dataFile.customData.map(\.scope) == [.page, .visit, .visitor, .other("visitor")])
  }

  @Test("a segment without conditions is open to everybody")
  func segment() throws {
    for object in ["{\"id\":1}", nulls(["conditionsData", "audienceTracking"], and: "\"id\":1")] {
      let reading = try read("{\"segments\":[\(object)]}")
      #expect(reading.diagnostics == [])
      var open = Segment(id: 1)
      open.position = 0
      #expect(reading.dataFile.segments == [open])
      #expect(reading.dataFile.segments.first?.conditions == .everybody)
      #expect(reading.dataFile.segments.first?.isAudienceTracked == false)
    }
  }

  @Test("a flag has a default for every field")
  func flag() throws {
    for object in ["{}", nulls(flagFields)] {
      let reading = try read("{\"featureFlags\":[\(object)]}")
      #expect(reading.diagnostics == [])
      let flag = try #require(reading.dataFile.featureFlags.first)
      #expect(flag.id == 0 && flag.key.isEmpty && flag.defaultVariationKey.isEmpty)
      #expect(!flag.isEnvironmentEnabled)
      #expect(flag.variations.isEmpty && flag.rules.isEmpty)
      #expect(flag.mutuallyExclusiveGroup == nil && flag.bucketingCustomDataID == nil)
    }
  }

  @Test("a variation has a default for every field")
  func variation() throws {
    for object in ["{}", nulls(["key", "name", "variables"])] {
      let reading = try read("{\"featureFlags\":[{\"variations\":[\(object)]}]}")
      #expect(reading.diagnostics == [])
      #expect(reading.dataFile.featureFlags.first?.variations == [FlagVariation()])
    }
    #expect(FlagVariation().key.isEmpty && FlagVariation().name.isEmpty)
    #expect(FlagVariation().variables.isEmpty)
  }

  @Test("a rule needs only its id")
  func rule() throws {
    for object in ["{\"id\":9}", nulls(ruleFields, and: "\"id\":9")] {
      let reading = try read("{\"featureFlags\":[{\"rules\":[\(object)]}]}")
      #expect(reading.diagnostics == [])
      let rule = try #require(reading.dataFile.featureFlags.first?.rules.first)
      #expect(rule.id == 9 && rule.order == 0 && rule.exposition == 0 && rule.experimentID == 0)
      #expect(rule.segmentID == nil && rule.respoolTime == nil && rule.split.isEmpty)
      guard case .other = rule.type else {
        Issue.record("a rule without type is of an unknown type")
        return
      }
    }
  }

  @Test("a split entry may lack its id")
  func split() throws {
    let fields = ["variationKey", "variationId", "exposition"]
    for object in ["{}", nulls(fields)] {
      let reading = try read(
        "{\"featureFlags\":[{\"rules\":[{\"id\":1,\"variationByExposition\":[\(object)]}]}]}")
      #expect(reading.diagnostics == [])
      let entry = try #require(reading.dataFile.featureFlags.first?.rules.first?.split.first)
      #expect(entry.variationID == nil && entry.variationKey.isEmpty && entry.exposition == 0)
    }
  }

  @Test("an absent or null holdout is none")
  func holdout() throws {
    for text in ["{}", "{\"holdout\":null}"] {
      let reading = try read(text)
      #expect(reading.dataFile.holdout == nil)
      #expect(reading.diagnostics == [])
    }
  }
}

@Suite("Data file reading")
struct DataFileReadingTests {
  @Test("unknown keys are ignored at every level")
  func unknownKeys() throws {
    let extra = #""x":[{"y":null}],"z":1"#
    let reading = try read(
      """
      {\(extra),"configuration":{\(extra)},"customData":[{"index":1,\(extra)}],
      "segments":[{"id":1,\(extra)}],"holdout":{"experimentId":1,\(extra),
      "variationByExposition":[{\(extra)}]},"featureFlags":[{\(extra),"variations":[{\(extra),
      "variables":[{"key":"k",\(extra)}]}],"rules":[{"id":1,\(extra),
      "variationByExposition":[{\(extra)}]}]}]}
      """)
    #expect(reading.diagnostics == [])
    #expect(reading.dataFile.featureFlags.first?.rules.first?.split.count == 1)
    #expect(reading.dataFile.featureFlags.first?.variations.first?.variables.count == 1)
    #expect(reading.dataFile.holdout?.split.count == 1)
  }

  @Test("an unknown rule type is kept as it stands")
  func ruleTypes() throws {
    let literals = ["EXPERIMENTATION", "TARGETED_DELIVERY", "experimentation", "NEW", ""]
    let rules = literals.map { #"{"id":1,"type":"\#($0)"}"# }.joined(separator: ",")
    let reading = try read("{\"featureFlags\":[{\"rules\":[\(rules)]}]}")
    let types = reading.dataFile.featureFlags.first?.rules.map(\.type)
    #expect(
      types == [
        .experimentation, .targetedDelivery, .other("experimentation"), .other("NEW"), .other(""),
      ])
    #expect(types?.map(\.literal) == literals)
    #expect(reading.diagnostics == [])
  }

  @Test("an empty group name is no group")
  func emptyGroup() throws {
    let reading = try read(
      #"{"featureFlags":[{"mutuallyExclusiveGroup":""},{"mutuallyExclusiveGroup":" "}]}"#)
    #expect(reading.dataFile.featureFlags.map(\.mutuallyExclusiveGroup) == [nil, " "])
  }

  @Test("ids are 64-bit integers, also when written with a fraction of zero")
  func ids() throws {
    let reading = try read(
      """
      {"dateModified":9007199254740993,"featureFlags":[{"id":9223372036854775807,
      "bucketingCustomDataId":5.0,"rules":[{"id":1e3,"respoolTime":0,"exposition":1}]}]}
      """)
    let flag = try #require(reading.dataFile.featureFlags.first)
    #expect(reading.dataFile.dateModified.milliseconds == 9_007_199_254_740_993)
    #expect(flag.id == .max)
    #expect(flag.bucketingCustomDataID == 5)
    #expect(flag.rules.map(\.id) == [1000])
    #expect(flag.rules.map(\.respoolTime) == [0])
    #expect(flag.rules.map(\.exposition) == [1])
    #expect(reading.diagnostics == [])
  }

  @Test("lists keep their order, and flags of one key both stay, the later one behind")
  func order() throws {
    let reading = try read(
      """
      {"featureFlags":[{"id":2,"featureKey":"a"},{"id":1,"featureKey":"b"},
      {"id":3,"featureKey":"a","rules":[{"id":5,"order":1},{"id":4,"order":0}]}]}
      """)
    #expect(reading.dataFile.featureFlags.map(\.id) == [2, 1, 3])
    #expect(reading.dataFile.featureFlags[2].rules.map(\.id) == [5, 4])
  }

  @Test("a byte order mark and escaped keys make no difference")
  func encoding() throws {
    let text = #"{"feature\u0046lags":[{"\u0069d":3,"featureKey":"\u00e9"}]}"#
    let reading = try DataFile.read([0xEF, 0xBB, 0xBF] + Array(text.utf8))
    #expect(reading.dataFile.featureFlags.map(\.id) == [3])
    #expect(reading.dataFile.featureFlags.map(\.key) == ["\u{E9}"])
  }

  @Test(
    "the date alone is read like the whole file, with the same errors",
    arguments: [
      #"{}"#, #"{"dateModified":5}"#, #"{"dateModified":5,"featureFlags":[{"dateModified":6}]}"#,
      #"{"dateModified":5,"dateModified":7}"#, #"{"dateModified":null}"#, #"{"dateModified":"5"}"#,
      #"{"dateModified":5.0}"#, #"{"dateModified":1e400}"#, #"{"featureFlags":null}"#,
      #"{"dateModified":5,"featureFlags":{}}"#, #"{"featureFlags":3,"featureFlags":[]}"#,
      #"{"featureFlags":[],"featureFlags":3}"#, #"{"date\u004dodified":8}"#, "[]", "3", "null", "",
      #"{"dateModified":5"#, #"{"dateModified":5,"segments":[}"#, #"{"dateModified":5} 1"#,
    ])
  func dateAlone(_ text: String) {
    let bytes = Array(text.utf8)
    let whole = Result { () throws(DataFileError) in try DataFile.read(bytes) }
    let date = Result { () throws(DataFileError) in try DataFile.dateModified(of: bytes) }
    #expect(whole.map(\.dataFile.dateModified) == date)
  }
}
