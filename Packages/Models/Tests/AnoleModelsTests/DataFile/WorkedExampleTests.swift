// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

/// The worked example of the specification of evaluation, section 1.10.
@Suite("Worked example")
struct WorkedExampleTests {
  private let file: DataFile

  init() throws {
    let reading = try DataFile.read(Repository.fixture("worked-example"))
    #expect(reading.diagnostics == [])
    file = reading.dataFile
    #expect(try DataFile(parsing: Repository.fixture("worked-example")) == file)
  }

  @Test("the settings and the date are read")
  func settings() {
    #expect(file.dateModified == Timestamp(milliseconds: 1_759_990_000_000))
    #expect(file.configuration.isRealTimeUpdate)
    #expect(!file.configuration.isConsentRequired)
    #expect(file.configuration.consentOptOutBehavior == .partiallyBlock)
    #expect(file.configuration.dataAPIDomain == "eu-data.example")
  }

  @Test("the declared custom data are read")
  func customData() {
    #expect(file.customData.map(\.id) == [4101, 4102, 4103, 4104])
    #expect(file.customData.map(\.index) == [1, 2, 3, 4])
    #expect(file.customData.map(\.name) == ["plan", "member id", "company", "is employee"])
    #expect(file.customData.map(\.scope) == [.visit, .visitor, .visitor, .visit])
    #expect(file.customData.map(\.isLocalOnly) == [false, false, false, true])
    #expect(file.customData.map(\.isMappingIdentifier) == [false, true, false, false])
  }

  @Test("the segments keep their conditions as they stand")
  func segments() throws {
    #expect(file.segments.map(\.id) == [8001, 8002])
    #expect(file.segments.map(\.isAudienceTracked) == [true, false])
    guard case .tree(let raw) = file.segments[0].conditions else {
      Issue.record("segment 8001 has a tree")
      return
    }
    let tree = try raw.value()
    #expect(tree["firstLevelOrOperators"] == [])
    #expect(tree["firstLevel"]?[0]?["orOperators"] == [false])
    let conditions = tree["firstLevel"]?[0]?["conditions"]
    #expect(conditions?[0]?["value"] == "[\"pro\",\"enterprise\"]")
    #expect(conditions?[1]?["isInclude"] == false)
  }

  @Test("the holdout is read")
  func holdout() throws {
    let holdout = try #require(file.holdout)
    #expect(holdout.experimentID == 300_900)
    #expect(holdout.split.map(\.variationKey) == [Holdout.inHoldoutKey, "not-in-holdout"])
    #expect(holdout.split.map(\.variationID) == [990_001, 990_002])
    #expect(holdout.split.map(\.exposition) == [0.05, 0.95])
  }

  @Test("the flags are read in file order")
  func flags() {
    let flags = file.featureFlags
    #expect(flags.map(\.id) == [5001, 5002, 5003, 5004, 5005])
    #expect(
      flags.map(\.key) == ["new_checkout", "team_inbox", "promo_a", "promo_b", "legacy_banner"])
    #expect(flags.map(\.isEnvironmentEnabled) == [true, true, true, true, false])
    #expect(flags.map(\.defaultVariationKey) == Array(repeating: "off", count: 5))
    let group = "ME-GROUP-PROMO"
    #expect(flags.map(\.mutuallyExclusiveGroup) == [nil, nil, group, group, nil])
    #expect(flags.map(\.bucketingCustomDataID) == [nil, 4103, nil, nil, nil])
    #expect(flags.map(\.rules.count) == [2, 1, 1, 1, 0])
    #expect(flags.map(\.variations.count) == [3, 2, 2, 2, 1])
  }

  @Test("the rules are read with their splits")
  func rules() throws {
    let rules = try #require(file.featureFlags.first?.rules)
    #expect(rules.map(\.id) == [6001, 6002])
    #expect(rules.map(\.order) == [0, 1])
    #expect(rules.map(\.type) == [.targetedDelivery, .experimentation])
    #expect(rules.map(\.exposition) == [1, 0.5])
    #expect(rules.map(\.respoolTime) == [nil, 1_758_000_000_000])
    #expect(rules.map(\.segmentID) == [8001, nil])
    #expect(rules.map(\.experimentID) == [300_101, 300_102])
    #expect(rules[1].split.map(\.variationKey) == ["off", "one_page", "two_pages"])
    #expect(rules[1].split.map(\.variationID) == [990_111, 990_112, 990_113])
    #expect(rules[1].split.map(\.exposition) == [0.34, 0.33, 0.33])
  }

  @Test("the variables are converted")
  func variables() throws {
    let variation = try #require(file.featureFlags.first?.variations[1])
    #expect(variation.key == "one_page")
    #expect(variation.name == "One page")
    #expect(
      variation.variables == [
        Variable(key: "steps", type: "NUMBER", value: .int(1)),
        Variable(key: "discount", type: "NUMBER", value: .double(2.5)),
        Variable(key: "title", type: "STRING", value: .string("Quick checkout")),
        Variable(key: "showLogo", type: "BOOLEAN", value: .bool(true)),
        Variable(
          key: "layout", type: "JSON", value: .json(["columns": 2, "order": ["cart", "pay"]])),
      ])
  }
}
