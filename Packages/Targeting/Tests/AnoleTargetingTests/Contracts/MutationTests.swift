// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleModelsTesting
import AnoleTargeting
import Testing

/// Changes one or several members of a condition.
private struct Mutator {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private static let replacements: [JSONValue] = [
    nil, true, false, 0, 5, -1, 2.5, 1e300, .number(.integer(.max)), .number(.big("1e999")), "",
    "5", "?", "true", "EXACT", "EQUAL", "PHONE", "1.2", "(", "[]", "\u{E9}\0", [], ["gold"], [nil],
    [:], ["targetingType": "DEVICE_TYPE"],
  ]

  mutating func mutate(_ condition: JSONValue) -> JSONValue {
    var members = condition.objectValue ?? []
    if Bool.random(using: &generator) {
      members.append(JSONValue.Member(key: "isInclude", value: true))
    }
    for _ in 0..<Int.random(in: 1...2, using: &generator) where !members.isEmpty {
      change(&members)
    }
    return .object(members)
  }

  private mutating func change(_ members: inout [JSONValue.Member]) {
    let position = Int.random(in: members.indices, using: &generator)
    let member = members[position]
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: members.remove(at: position)
    case 1:
      let other = Int.random(in: members.indices, using: &generator)
      let key = members[other].key
      members[other] = JSONValue.Member(key: member.key, value: members[other].value)
      members[position] = JSONValue.Member(key: key, value: members[position].value)
    default:
      let value = Self.replacements.randomElement(using: &generator) ?? nil
      members[position] = JSONValue.Member(key: member.key, value: value)
    }
  }
}

@Suite("Mutated conditions")
struct MutationTests {
  private static func index(_ condition: String) throws -> SegmentIndex {
    try Fixture.index(
      trees: [Fixture.tree([condition]), Fixture.tree([Fixture.yes])],
      rest: ConditionCatalogue.rest)
  }

  private static let subjects = [
    Fixture.subject(ConditionCatalogue.data), Fixture.subject([]), Fixture.subject([], code: ""),
  ]

  @Test("unchanged, all conditions match the visitor of the catalogue")
  func unchanged() throws {
    for condition in ConditionCatalogue.conditions {
      let index = try Self.index(condition)
      #expect(index.answer(Self.subjects[0], campaign: ConditionCatalogue.campaign), "\(condition)")
      #expect(index.diagnostics.isEmpty, "\(condition)")
      #expect(ConditionSchema.isReadable(try JSONValue(parsing: condition)), "\(condition)")
    }
  }

  @Test("5,000 mutations: an unreadable condition answers false before negation", arguments: 0..<10)
  func mutations(_ block: Int) throws {
    var mutator = Mutator(seed: UInt64(block))
    var unreadable = 0
    for number in 0..<500 {
      let conditions = ConditionCatalogue.conditions
      let text = conditions[(block * 500 + number) % conditions.count]
      let mutated = mutator.mutate(try JSONValue(parsing: text))
      let index = try Self.index(RawJSON(mutated).text)
      let isReadable = ConditionSchema.isReadable(mutated)
      #expect(index.diagnostics.isEmpty == isReadable, "\(mutated) \(index.diagnostics)")
      for subject in Self.subjects {
        let isMatch = index.answer(subject, campaign: ConditionCatalogue.campaign)
        let trace = index.explain(
          segmentAt: 0, subject, campaign: ConditionCatalogue.campaign)
        #expect(trace.isMatch == isMatch)
        if !isReadable { #expect(isMatch == (mutated["isInclude"]?.boolValue == false)) }
      }
      if !isReadable { unreadable += 1 }
    }
    // Both kinds occur often enough to mean something.
    #expect((150...450).contains(unreadable))
  }

  @Test("5,000 mutations of whole trees neither crash nor part matching and explanation")
  func trees() throws {
    var mutator = Mutator(seed: 77)
    let tree =
      #"{"firstLevel":[\#(Fixture.group([Fixture.yes, Fixture.no], operators: [true])),"#
      + #"\#(Fixture.group([Fixture.reference(1), "7"]))],"firstLevelOrOperators":[true,null]}"#
    let root = try JSONValue(parsing: tree)
    let group = try #require(root["firstLevel"]?[0])
    for number in 0..<5_000 {
      let mutated =
        number % 2 == 0
        ? mutator.mutate(root)
        : ["firstLevel": [mutator.mutate(group), group], "firstLevelOrOperators": [true]]
      let index = try Fixture.index(trees: [RawJSON(mutated).text])
      let subject = Self.subjects[0]
      #expect(index.answer(subject) == index.explain(segmentAt: 0, subject).isMatch)
    }
  }
}
