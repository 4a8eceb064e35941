// SPDX-License-Identifier: Apache-2.0

import AnoleTargeting
import Testing

private let reference = Fixture.reference
private func tree(_ conditions: String...) -> String { Fixture.tree(conditions) }

struct CycleCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let trees: [String]
  /// The answers for the segments, from segment 1 on.
  let expected: [Bool]

  init(_ name: String, _ trees: [String], _ expected: [Bool]) {
    testDescription = name
    self.trees = trees
    self.expected = expected
  }
}

private let cycleCases: [CycleCase] = [
  CycleCase("a segment of itself", [tree(reference(1))], [false]),
  CycleCase("a segment of all but itself", [tree(Fixture.excluded(reference(1)))], [true]),
  CycleCase(
    "itself or a true condition",
    [Fixture.tree([reference(1), Fixture.yes], operators: [true])], [true]),
  CycleCase("two that ask each other", [tree(reference(2)), tree(reference(1))], [false, false]),
  CycleCase(
    "two that exclude each other",
    [tree(Fixture.excluded(reference(2))), tree(Fixture.excluded(reference(1)))], [false, false]),
  CycleCase(
    "one excludes, one includes",
    [tree(Fixture.excluded(reference(2))), tree(reference(1))], [true, true]),
  CycleCase(
    "an excluded reference into a cycle from outside",
    [tree(reference(2)), tree(reference(1)), tree(Fixture.excluded(reference(1)))],
    [false, false, true]),
  CycleCase(
    "a cycle that is never asked",
    [
      Fixture.tree([Fixture.yes, reference(2)], operators: [true]),
      tree(reference(1)),
    ], [true, true]),
  CycleCase(
    "three in a ring", [tree(reference(2)), tree(reference(3)), tree(reference(1))],
    [false, false, false]),
  CycleCase(
    "the same segment twice is no cycle",
    [tree(reference(2), reference(2)), tree(Fixture.yes)], [true, true]),
]

private let referenceCases: [CycleCase] = [
  CycleCase("a true segment", [tree(reference(2)), tree(Fixture.yes)], [true, true]),
  CycleCase("a false segment", [tree(reference(2)), tree(Fixture.no)], [false, false]),
  CycleCase(
    "not a false segment", [tree(Fixture.excluded(reference(2))), tree(Fixture.no)], [true, false]),
  CycleCase("an empty segment", [tree(reference(2)), "null"], [true, true]),
  CycleCase("an unknown segment", [tree(reference(9))], [false]),
  CycleCase("not an unknown segment", [tree(Fixture.excluded(reference(9)))], [true]),
  CycleCase("no id", [tree(#"{"targetingType":"SEGMENT"}"#)], [false]),
  CycleCase(
    "an id as text", [tree(#"{"targetingType":"SEGMENT","segmentId":"2"}"#), "{}"], [false, true]),
  CycleCase("an unreadable segment", [tree(reference(2)), "[]"], [false, false]),
]

/// The references a trace followed.
private func references(in trace: SegmentTrace) -> Int {
  let nested = trace.groups.flatMap(\.conditions).compactMap { $0.segment?.trace }
  return nested.reduce(nested.count) { $0 + references(in: $1) }
}

private func hasNote(_ text: String, in trace: SegmentTrace) -> Bool {
  trace.groups.flatMap(\.conditions).contains { condition in
    condition.note == text || condition.segment?.trace.map { hasNote(text, in: $0) } == true
  }
}

private let tooDeep = "segments refer to each other too deeply"

@Suite("SEGMENT and cycles (4.3, 4.9)")
struct SegmentReferenceTests {
  @Test("a reference has the result of the segment's tree", arguments: referenceCases)
  func refers(_ row: CycleCase) throws { try verify(row) }

  @Test("a segment that is being evaluated is false", arguments: cycleCases)
  func cycles(_ row: CycleCase) throws { try verify(row) }

  private func verify(_ row: CycleCase) throws {
    let index = try Fixture.index(trees: row.trees)
    let subject = Fixture.subject()
    for (position, expected) in row.expected.enumerated() {
      #expect(index.matches(segmentAt: position, subject) == expected, "segment \(position + 1)")
      #expect(index.explain(segmentAt: position, subject).isMatch == expected)
    }
  }

  @Test("visitor and campaign are passed on")
  func passesOn() throws {
    let exclusive = #"{"targetingType":"EXCLUSIVE_EXPERIMENT","campaignType":"EXPERIMENT"}"#
    let index = try Fixture.index(trees: [tree(reference(2)), tree(exclusive)])
    let subject = Fixture.subject([.assigned(5, 1)])
    #expect(index.answer(subject, campaign: 5))
    #expect(!index.answer(subject, campaign: 6))
    #expect(!index.answer(subject))
  }

  @Test("a cycle is told in the trace")
  func cycleNote() throws {
    let note = "the segment is being evaluated already"
    let index = try Fixture.index(trees: [tree(reference(2)), tree(reference(1))])
    #expect(hasNote(note, in: index.explain(segmentAt: 0, Fixture.subject())))
    #expect(try Fixture.index(trees: [tree(reference(1))]).note() == note)
  }

  @Test("a chain of 1,000 segments does not crash", arguments: [Fixture.yes, Fixture.no])
  func longChain(_ end: String) throws {
    let index = try Fixture.index(trees: (2...1_000).map { tree(reference($0)) } + [tree(end)])
    #expect(!index.answer())
    let trace = index.explain(segmentAt: 0, Fixture.subject())
    #expect(!trace.isMatch)
    #expect(references(in: trace) == SegmentIndex.maximumNesting)
    #expect(hasNote(tooDeep, in: trace))
  }

  @Test("a chain of the greatest depth still answers")
  func greatestDepth() throws {
    let depth = SegmentIndex.maximumNesting
    let trees = (0..<depth).map { tree(reference($0 + 2)) } + [tree(Fixture.yes)]
    let index = try Fixture.index(trees: trees)
    #expect(index.answer())
    #expect(index.explain(segmentAt: 0, Fixture.subject()).isMatch)
    let longer = try Fixture.index(
      trees: (0...depth).map { tree(reference($0 + 2)) } + [tree(Fixture.yes)])
    #expect(!longer.answer())
    #expect(longer.matches(segmentAt: 1, Fixture.subject()))
  }

  @Test("segments that double their work at every level end at the limit of references")
  func doubling() throws {
    let levels = (2...41).map {
      Fixture.tree([reference($0), reference($0)], operators: [true])
    }
    let index = try Fixture.index(trees: levels + [tree(Fixture.no)])
    #expect(!index.answer())
    let trace = index.explain(segmentAt: 0, Fixture.subject())
    #expect(!trace.isMatch)
    #expect(references(in: trace) == SegmentIndex.maximumReferences)
    #expect(hasNote(tooDeep, in: trace))
  }

  @Test("doubling within the limit is answered")
  func smallDoubling() throws {
    let levels = (2...11).map { tree(reference($0), reference($0)) }
    #expect(try Fixture.index(trees: levels + [tree(Fixture.yes)]).answer())
    #expect(try !Fixture.index(trees: levels + [tree(Fixture.no)]).answer())
  }

  @Test("what matching skips does not use up the references of an explanation")
  func skippedReferences() throws {
    let doubling = (4...43).map {
      Fixture.tree([reference($0), reference($0)], operators: [true])
    }
    let first = Fixture.tree(
      groups: [
        Fixture.group([Fixture.yes, reference(3)], operators: [true]),
        Fixture.group([reference(2)]),
      ], operators: [false])
    let index = try Fixture.index(
      trees: [first, tree(Fixture.yes)] + doubling + [tree(Fixture.no)])
    #expect(index.answer())
    let trace = index.explain(segmentAt: 0, Fixture.subject())
    #expect(trace.isMatch)
    #expect(trace.groups.map(\.isMatch) == [true, true])
    #expect(references(in: trace) <= 2 * SegmentIndex.maximumReferences)
  }
}
