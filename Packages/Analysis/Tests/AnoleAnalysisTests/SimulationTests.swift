// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

@testable import AnoleAnalysis

@Suite("Simulation")
struct SimulationTests {
  @Test(
    "counts what deciding one visitor after another gives, for 10,000 visitors and every flag",
    arguments: Repository.dataFileNames + ["worked-example"])
  func direct(_ name: String) async throws {
    let bytes =
      name == "worked-example" ? try Repository.fixture(name) : try Repository.dataFile(name)
    let file = Snapshot(try DataFile(parsing: bytes), sdk: testSDK)
    let people = try variedPopulation(10_000)
    let simulation = try await Simulation.run(in: file, population: people)
    #expect(simulation.flags.map(\.featureKey) == file.featureKeys)
    var counts = [[FlagOutcome: Int]](repeating: [:], count: file.flagCount)
    for number in 1...people.count {
      let record = people.record(of: number, catalogue: file.customData)
      for (position, key) in file.featureKeys.enumerated() {
        let outcome = directOutcome(key, people.visitorCode(number), record, file)
        counts[position][outcome, default: 0] += 1
      }
    }
    for (flag, counts) in zip(simulation.flags, counts) {
      let simulated = flag.rows.filter { $0.count > 0 }.map { ($0.outcome, $0.count) }
      #expect(Dictionary(simulated) { $0 + $1 } == counts, "\(flag.featureKey)")
      #expect(flag.rows.reduce(0) { $0 + $1.count } == people.count)
      #expect(abs(flag.rows.reduce(0) { $0 + $1.share } - 1) < 1e-9)
    }
  }

  @Test("the promised shares sum to 1 and hold, for every flag of every data file")
  func expectations() async throws {
    var tested = 0
    for (name, file) in try Repository.snapshots() {
      let simulation = try await Simulation.run(in: file, population: variedPopulation(4_000))
      for flag in simulation.flags where flag.noExpectation == nil {
        let sum = flag.rows.reduce(0) { $0 + ($1.expectedShare ?? 0) }
        #expect(abs(sum - 1) < 1e-9, "\(name), \(flag.featureKey)")
        #expect(
          flag.verdict == .holds || flag.verdict == .notTested,
          "\(name), \(flag.featureKey): \(flag.sentence)")
        if flag.test != nil { tested += 1 }
      }
    }
    #expect(tested > 30)
  }

  @Test("is the same on one thread, on two, on seven, and without threads")
  func threads() async throws {
    for (_, file) in try Repository.snapshots() {
      var people = try population(400, "device=phone:0.5", "custom:1=gold:0.3")
      people.prefix = "someone with a long name "
      let alone = try Simulation(in: file, population: people)
      for threads in [1, 2, 7] {
        let run = try await Simulation.run(in: file, population: people, threads: threads)
        #expect(run == alone)
        #expect(run.document == alone.document)
      }
    }
  }

  @Test("a split that is not kept is told")
  func broken() throws {
    let file = try snapshot(oneRule())
    let expectation = try Expectation("f", population: population(1), in: file)
    let outcomes = expectation.shares.map(\.outcome)
    func verdict(_ counts: Int...) -> FlagSimulation.Verdict {
      FlagSimulation(
        "f", counts: Array(zip(outcomes, counts)).map { ($0, $1) }, expectation: expectation,
        remarks: [], significance: Simulation.defaultSignificance
      ).verdict
    }
    #expect(verdict(5_000, 5_000) == .holds)
    #expect(verdict(5_100, 4_900) == .holds)
    // 3.29 standard deviations of 50 are the limit for 1 in 1,000.
    #expect(verdict(5_160, 4_840) == .holds)
    #expect(verdict(5_170, 4_830) == .differs)
    let stranger = FlagSimulation(
      "f", counts: [(outcomes[0], 5), (FlagOutcome(variationKey: "x", reason: .inHoldout), 1)],
      expectation: expectation, remarks: [], significance: 0.001)
    #expect(stranger.verdict == .unforeseen)
    #expect(stranger.rows.map(\.count) == [5, 0, 1])
  }

  @Test("progress grows to the number of visitors, one call at a time")
  func progress() async throws {
    let file = try snapshot(oneRule())
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    _ = try await Simulation.run(
      ["f"], in: file, population: population(100_000), threads: 2,
      progress: { continuation.yield($0) })
    continuation.finish()
    var seen: [Int] = []
    for await done in stream { seen.append(done) }
    #expect(seen.count > 3)
    #expect(seen == seen.sorted())
    #expect(seen.last == 100_000)
  }

  @Test("a cancelled task ends without result")
  func cancelling() async throws {
    let file = try snapshot(oneRule())
    let people = try population(VisitorPopulation.greatestCount)
    let (started, continuation) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await Simulation.run(
        ["f"], in: file, population: people, threads: 2, progress: { _ in continuation.yield() })
    }
    for await _ in started { break }
    task.cancel()
    await #expect(throws: AnalysisError.cancelled) { try await task.value }
  }

  @Test("codes are written without gap where a digit is added")
  func codes() {
    for start in [1, 9, 10, 95, 999, 9_999_990] {
      var writer = VisitorCodeWriter(prefix: "v9-", before: start)
      for number in start..<start + 20 { #expect(writer.next() == "v9-\(number)") }
    }
    var writer = VisitorCodeWriter(prefix: "ü", before: 1)
    #expect(writer.next() == "ü1")
  }

  @Test("the document has the keys of the README")
  func document() async throws {
    let file = try snapshot(
      oneRule(
        holdout: #"{"experimentId": 9, "variationByExposition": [{"variationKey": "in-holdout", "#
          + #""variationId": 8, "exposition": 0.1}, {"variationKey": "x", "exposition": 0.9}]}"#))
    let document = try Simulation(in: file, population: population(1_000)).document
    #expect(
      document.objectValue?.map(\.key) == ["visitors", "verdict", "flags", "holdout", "groups"])
    #expect(
      document["flags"]?[0]?.objectValue?.map(\.key) == [
        "flag", "visitors", "outcomes", "chiSquare", "degreesOfFreedom", "pValue", "significance",
        "verdict", "sentence", "noExpectation", "remarks",
      ])
    #expect(
      document["flags"]?[0]?["outcomes"]?[0]?.objectValue?.map(\.key) == [
        "variation", "status", "reason", "explanation", "ruleId", "experimentId", "variationId",
        "count", "share", "expectedShare", "difference",
      ])
    #expect(document["holdout"]?["expectedShare"] == 0.1)
    #expect(document["verdict"] == "holds")
    #expect(try JSONValue(parsing: document.text()) == document)
  }
}

@Suite("Expected shares")
struct ExpectationTests {
  /// Variation, reason and share in the order of the pipeline.
  private func shares(_ text: String, _ people: VisitorPopulation) throws -> [String] {
    try Expectation("f", population: people, in: snapshot(text)).shares.map { share in
      let outcome = share.outcome
      let what = outcome.variationKey ?? outcome.status.rawValue
      return "\(what) \(outcome.reason?.rawValue ?? "-") \((share.share * 1e6).rounded() / 1e6)"
    }
  }

  private let phones = #"[\#(segment(7, #"{"targetingType": "DEVICE_TYPE", "device": "PHONE"}"#))]"#
  private let held = """
    {"experimentId": 9, "variationByExposition": [
      {"variationKey": "in-holdout", "variationId": 8, "exposition": 0.2},
      {"variationKey": "out", "variationId": 10, "exposition": 0.8}]}
    """

  @Test("exposition and split multiply")
  func split() throws {
    #expect(
      try shares(oneRule(exposition: "0.6"), population(1))
        == ["off experiment 0.3", "on experiment 0.3", "off noRuleApplied 0.4"])
  }

  @Test("the holdout goes first")
  func holdout() throws {
    #expect(
      try shares(oneRule(exposition: "0.5", holdout: held), population(1))
        == [
          "off inHoldout 0.2", "off experiment 0.2", "on experiment 0.2", "off noRuleApplied 0.4",
        ])
  }

  @Test("visitors with different data: the weighted sum")
  func mixture() throws {
    let file = oneRule(segment: "7", segments: phones)
    #expect(
      try shares(file, population(1, "device=phone:0.6,desktop:0.3"))
        == ["off experiment 0.3", "on experiment 0.3", "off noRuleApplied 0.4"])
    #expect(
      try shares(file, population(1, "device=phone:0.5", "country=France:0.5"))
        == ["off experiment 0.25", "on experiment 0.25", "off noRuleApplied 0.5"])
    #expect(try shares(file, population(1)) == ["off noRuleApplied 1.0"])
  }

  @Test("a delivery ends the evaluation even for those it does not admit")
  func delivery() throws {
    #expect(
      try shares(oneRule(exposition: "0.3", type: "TARGETED_DELIVERY"), population(1))
        == ["off notDelivered 0.7", "off targetedDelivery 0.3"])
  }

  @Test("refused consent blocks experiments partially, or fully")
  func consent() throws {
    let partial = oneRule(exposition: "0.5").replacing(
      #""segments""#, with: #""configuration": {"consentType": "REQUIRED"}, "segments""#)
    let refusing = try population(1, "consent=refused:0.4,given:0.6")
    #expect(
      try shares(partial, refusing) == [
        "off consentRefused 0.2", "off noRuleApplied 0.5", "off experiment 0.15",
        "on experiment 0.15",
      ])
    let full = partial.replacing(
      #""REQUIRED""#, with: #""REQUIRED", "consentOptOutBehavior": "FULLY_BLOCK""#)
    #expect(
      try shares(full, refusing) == [
        "blockedByConsent - 0.2", "off noRuleApplied 0.5", "off experiment 0.15",
        "on experiment 0.15",
      ])
    let early = full.replacing(#""holdout": null"#, with: #""holdout": \#(held)"#)
    #expect(try shares(early, population(1, "consent=refused:1")) == ["blockedByConsent - 1.0"])
  }

  @Test("forced variations, with and without targeting")
  func forced() throws {
    let text = oneRule(segment: "7", segments: phones)
    let file = try snapshot(text)
    for isTargetingForced in [true, false] {
      var people = try population(1, "device=phone:0.5")
      people.traits = [
        .forced(
          try file.forcedVariation(
            experimentID: 3, variationKey: "on", isTargetingForced: isTargetingForced))
      ]
      #expect(
        try shares(text, people)
          == (isTargetingForced ? ["on forced 1.0"] : ["on forced 0.5", "off noRuleApplied 0.5"]))
    }
  }

  @Test("nothing is promised where decisions depend on more than chance, and the reason is told")
  func obstacles() throws {
    func obstacle(_ text: String, _ people: VisitorPopulation) throws -> String? {
      try Expectation("f", population: people, in: snapshot(text)).obstacle
    }
    let bucketed = oneRule(customData: #"[{"id": 5, "index": 1}]"#, bucketing: "5")
    #expect(
      try obstacle(bucketed, population(1, "custom:1=acme:0.5"))
        == "the flag is bucketed by custom data, which many of these visitors share")
    #expect(try obstacle(bucketed, population(1)) == nil)
    let coded = oneRule(
      segment: "7",
      segments: "[\(segment(7, #"{"targetingType": "SEGMENT", "segmentId": 8}"#)), "
        + segment(
          8, #"{"targetingType": "VISITOR_CODE", "matchType": "CONTAINS", "visitorCode": "1"}"#)
        + "]")
    #expect(
      try obstacle(coded, population(1)) == "a segment of the flag looks at the visitor code")
    var scored = try population(1)
    scored.traits = [.datum(.banditScores(BanditScores([3: [4: 1]])))]
    #expect(
      try obstacle(oneRule(), scored) == "bandit scores decide instead of the splits")
    let simulation = try Simulation(["f"], in: snapshot(coded), population: population(10))
    #expect(simulation.flags[0].verdict == .notTested)
    #expect(simulation.flags[0].rows.map(\.expectedShare) == [nil, nil, nil])
    #expect(simulation.document["flags"]?[0]?["pValue"] == .null)
  }

  @Test("segments that look at history are remarked upon")
  func history() throws {
    let file = oneRule(
      segment: "7", segments: "[\(segment(7, #"{"targetingType": "CONVERSIONS", "goalId": 1}"#))]")
    let simulation = try Simulation(["f"], in: snapshot(file), population: population(10))
    #expect(
      simulation.flags[0].remarks == [
        "segments of the flag look at the visitor's history (CONVERSIONS), and simulated visitors "
          + "come for the first time"
      ])
  }

  @Test("a flag that is switched off, and one that does not exist")
  func off() throws {
    #expect(try shares(oneRule(enabled: false), population(1)) == ["switchedOff - 1.0"])
    #expect(throws: AnalysisError.evaluation(.featureNotFound(featureKey: "g"))) {
      try Expectation("g", population: population(1), in: snapshot(oneRule()))
    }
  }

  @Test("the mapping identifier is each visitor's own code")
  func mapping() async throws {
    let file = try snapshot(
      oneRule(customData: #"[{"id": 5, "index": 1, "isMappingIdentifier": true}]"#))
    let simulation = try await Simulation.run(
      ["f"], in: file, population: population(4_000, "custom:1=member:0.5"))
    #expect(simulation.flags[0].verdict == .holds)
  }
}

@Suite("Overlaps")
struct OverlapTests {
  /// Three flags of one group, of which a test changes fields.
  private func trio(
    _ second: String = #""environmentEnabled": true"#, holdout: String = "null"
  ) -> String {
    func flag(_ id: Int, _ key: String, _ fields: String) -> String {
      #"{"id": \#(id), "featureKey": "\#(key)", "defaultVariationKey": "off", \#(fields), "#
        + #""mutuallyExclusiveGroup": "g", "variations": [{"key": "off"}, {"key": "on"}], "#
        + #""rules": [{"id": \#(id + 10), "type": "TARGETED_DELIVERY", "exposition": 1, "#
        + #""experimentId": \#(id + 20), "variationByExposition": [{"variationKey": "on"}]}]}"#
    }
    let on = #""environmentEnabled": true"#
    return #"""
      {"holdout": \#(holdout), "customData": [{"id": 5, "index": 1}], "featureFlags": [
        \#(flag(3, "c", on)), \#(flag(1, "a", on)), \#(flag(2, "b", second))]}
      """#
  }

  @Test("one flag brings its whole group, by ascending id, and nobody gets two")
  func group() throws {
    let simulation = try Simulation(["c"], in: snapshot(trio()), population: population(9_000))
    #expect(simulation.flags.map(\.featureKey) == ["c"])
    let group = try #require(simulation.groups.first)
    #expect(group.members.map(\.featureKey) == ["a", "b", "c"])
    #expect(group.isExclusive)
    #expect(group.members.reduce(0) { $0 + $1.count } == 9_000)
    for member in group.members {
      #expect(abs((member.expectedShare ?? 0) - 1.0 / 3) < 1e-12)
      #expect(abs(member.share - 1.0 / 3) < 0.02)
    }
    #expect(group.switchedOffCount == 0)
    let served = simulation.flags[0].rows.first { $0.outcome.variationKey == "on" }
    #expect(served?.count == group.members[2].count)
  }

  @Test("visitors of a member that is switched off get none")
  func disabled() throws {
    let file = try snapshot(trio(#""environmentEnabled": false"#))
    let group = try #require(
      try Simulation(["a"], in: file, population: population(9_000)).groups.first)
    #expect(group.members.map(\.isEnabled) == [true, false, true])
    #expect(group.members[1].count == 0)
    #expect(group.members[1].expectedShare == nil)
    #expect(abs(Double(group.switchedOffCount) / 9_000 - 1.0 / 3) < 0.02)
    #expect(group.members.reduce(0) { $0 + $1.count } + group.switchedOffCount == 9_000)
  }

  @Test("the holdout goes before the group")
  func holdout() throws {
    let held =
      #"{"experimentId": 9, "variationByExposition": [{"variationKey": "in-holdout", "#
      + #""variationId": 8, "exposition": 0.25}]}"#
    let simulation = try Simulation(
      ["a"], in: snapshot(trio(holdout: held)), population: population(8_000))
    let holdout = try #require(simulation.holdout)
    let group = try #require(simulation.groups.first)
    #expect(holdout.count == group.holdoutCount)
    #expect(abs(holdout.share - 0.25) < 0.02)
    #expect(holdout.expectedShare == 0.25)
    #expect(group.members.map(\.expectedShare) == [0.25, 0.25, 0.25])
    #expect(group.holdoutCount + group.members.reduce(0) { $0 + $1.count } == 8_000)
  }

  @Test("members that are bucketed by different keys do not exclude each other, which is told")
  func several() async throws {
    let file = try snapshot(trio(#""environmentEnabled": true, "bucketingCustomDataId": 5"#))
    let people = try population(3_000, "custom:1=acme:0.5,globex:0.5")
    let simulation = try await Simulation.run(["a"], in: file, population: people, threads: 2)
    let group = try #require(simulation.groups.first)
    #expect(!group.isExclusive)
    #expect(group.severalExamples.count == 5)
    for code in group.severalExamples {
      let number = try #require(Int(code.dropFirst(people.prefix.count)))
      let record = people.record(of: number, catalogue: file.customData)
      let open = ["a", "b", "c"].filter {
        directOutcome($0, code, record, file).variationKey == "on"
      }
      #expect(open.count > 1)
    }
    #expect(group.members[1].expectedShare == nil)
  }

  @Test("a group of one is no group, and a flag named twice is told twice")
  func small() throws {
    let text = oneRule().replacing(
      #""defaultVariationKey""#, with: #""mutuallyExclusiveGroup": "g", "defaultVariationKey""#)
    let simulation = try Simulation(["f", "f"], in: snapshot(text), population: population(10))
    #expect(simulation.groups.isEmpty)
    #expect(simulation.flags.map(\.visitorCount) == [10, 10])
    #expect(simulation.holdout == nil)
  }
}
