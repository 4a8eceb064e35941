// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleModelsTesting
import AnoleTargeting
import Testing

/// Random data files of six segments that refer to each other, and random visitors.
private struct RandomScenario {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &generator) < percent
  }

  private mutating func operators(for count: Int) -> [Bool] {
    // Sometimes too few or too many.
    let surplus = Int.random(in: -1...1, using: &generator)
    return (0..<max(count - 1 + surplus, 0)).map { _ in chance(50) }
  }

  private mutating func condition() -> String {
    let text: String
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<3: text = Fixture.reference(Int.random(in: 1...7, using: &generator))
    case 3: text = Fixture.yes
    case 4: text = #"{"targetingType":"LANDING_PAGE"}"#
    default: text = ConditionCatalogue.conditions.randomElement(using: &generator) ?? Fixture.no
    }
    return chance(35) ? Fixture.excluded(text) : text
  }

  private mutating func tree() -> String {
    let groups = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      let conditions = (0..<Int.random(in: 0...4, using: &generator)).map { _ in condition() }
      return Fixture.group(conditions, operators: operators(for: conditions.count))
    }
    return Fixture.tree(groups: groups, operators: operators(for: groups.count))
  }

  mutating func index() throws -> SegmentIndex {
    try Fixture.index(trees: (0..<6).map { _ in tree() }, rest: ConditionCatalogue.rest)
  }

  mutating func subject() -> TargetingSubject {
    let share = Int.random(in: 0...100, using: &generator)
    let data = ConditionCatalogue.data.filter { _ in chance(share) }
    return Fixture.subject(data, code: chance(70) ? Fixture.visitorCode : "someone")
  }

  mutating func campaign() -> Int64? { chance(50) ? ConditionCatalogue.campaign : nil }
}

/// The result that a trace's conditions give by the recursive wording of the rule.
private func recomputed(_ trace: SegmentTrace) -> Bool {
  let groups = trace.groups.map { group in
    grouped(
      group.conditions.map(\.isMatch)[...], group.conditions.map { $0.joinsNextWith == .or }[...])
  }
  return grouped(groups[...], trace.groups.map { $0.joinsNextWith == .or }[...])
}

@Suite("Matching and its explanation agree")
struct TraceAgreementTests {
  @Test("for 2,000 random data files and visitors", arguments: 0..<20)
  func agree(_ block: Int) throws {
    var matches = 0
    for seed in 0..<100 {
      var scenario = RandomScenario(seed: UInt64(block * 100 + seed))
      let index = try scenario.index()
      let subject = scenario.subject()
      let campaign = scenario.campaign()
      for position in 0..<index.count {
        let isMatch = index.matches(segmentAt: position, subject, campaign: campaign)
        let trace = index.explain(segmentAt: position, subject, campaign: campaign)
        #expect(trace.isMatch == isMatch, "seed \(block * 100 + seed), segment \(position)")
        #expect(recomputed(trace) == isMatch)
        #expect(
          trace.groups.allSatisfy { group in
            grouped(
              group.conditions.map(\.isMatch)[...],
              group.conditions.map { $0.joinsNextWith == .or }[...]) == group.isMatch
          })
        if isMatch { matches += 1 }
      }
    }
    // Both answers occur often enough to mean something.
    #expect((100...500).contains(matches))
  }

  @Test("a segment called stable answers alike for every campaign and assignment")
  func stable() throws {
    var stable = 0
    for seed in 0..<200 {
      var scenario = RandomScenario(seed: UInt64(9_000 + seed))
      let index = try scenario.index()
      let subject = scenario.subject()
      var record = subject.record
      record.save(
        experimentID: 5, variationID: 51, origin: .experimentation,
        at: Timestamp(milliseconds: Time.now), isTracked: true)
      record.save(
        experimentID: 6, variationID: 61, origin: .experimentation,
        at: Timestamp(milliseconds: Time.now), isTracked: true)
      let later = TargetingSubject(
        visitorCode: subject.visitorCode, record: record, moment: subject.moment)
      for position in 0..<index.count where index.isStable(at: position) {
        stable += 1
        let isMatch = index.matches(segmentAt: position, subject)
        #expect(index.matches(segmentAt: position, subject, campaign: 5) == isMatch)
        #expect(index.matches(segmentAt: position, later, campaign: 7) == isMatch)
      }
    }
    #expect(stable > 100)
  }
}
