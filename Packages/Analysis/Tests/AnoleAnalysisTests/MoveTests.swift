// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

@testable import AnoleAnalysis

/// A change of a data file's text.
struct Edit: Sendable, CustomTestStringConvertible {
  let file: String
  let old: String
  let new: String
  init(_ file: String, _ old: String, _ new: String) {
    self.file = file
    self.old = old
    self.new = new
  }
  var testDescription: String { "\(file): \(old) → \(new)" }

  /// Both files, compiled.
  func snapshots() throws -> (old: Snapshot, new: Snapshot) {
    let bytes =
      file == "worked-example" ? try Repository.fixture(file) : try Repository.dataFile(file)
    let before = try JSONValue(parsing: bytes).text()
    let after = before.replacing(old, with: new)
    try #require(before != after, "\(old) is not in \(file)")
    return (try snapshot(before), try snapshot(after))
  }
}

let edits: [Edit] = [
  Edit("worked-example", #""exposition":0.05"#, #""exposition":0.3"#),
  Edit("worked-example", #""environmentEnabled":true"#, #""environmentEnabled":false"#),
  Edit("worked-example", #""respoolTime":1758000000000"#, #""respoolTime":1758000000001"#),
  Edit("worked-example", #""mutuallyExclusiveGroup":"ME-GROUP-PROMO""#, #""x":null"#),
  Edit("worked-example", #""device":"TABLET""#, #""device":"PHONE""#),
  Edit("worked-example", #""featureKey":"team_inbox""#, #""featureKey":"inbox""#),
  Edit("worked-example", #""exposition":0.34"#, #""exposition":0.1"#),
  Edit("megroups", #""exposition":0.5"#, #""exposition":0.25"#),
  Edit("consent-full", #"FULLY_BLOCK"#, #"PARTIALLY_BLOCK"#),
  Edit("bucketing", #""bucketingCustomDataId""#, #""x""#),
]

@Suite("Visitors that move")
struct MoveTests {
  @Test(
    "transitions are what deciding one visitor after another gives, for 10,000 visitors",
    arguments: edits)
  func direct(_ edit: Edit) async throws {
    let (old, new) = try edit.snapshots()
    let people = try population(
      10_000, "device=phone:0.5,tablet:0.2", "custom:1=pro:0.3", "custom:3=acme:0.5,globex:0.5",
      "consent=refused:0.3")
    let moves = try await VisitorMoves.run(from: old, to: new, population: people)
    let keys = moves.flags.map(\.featureKey)
    #expect(Set(keys) == Set(old.featureKeys + new.featureKeys))
    var counts = [[[FlagOutcome]: Int]](repeating: [:], count: keys.count)
    var moved = 0
    for number in 1...people.count {
      let code = people.visitorCode(number)
      let records = [old, new].map { people.record(of: number, catalogue: $0.customData) }
      var isMoved = false
      for (position, key) in keys.enumerated() {
        let from = directOutcome(key, code, records[0], old)
        let to = directOutcome(key, code, records[1], new)
        counts[position][[from, to], default: 0] += 1
        let isInBoth = from.status != .absent && to.status != .absent
        if isInBoth, !from.servesSameVariation(as: to) { isMoved = true }
      }
      if isMoved { moved += 1 }
    }
    #expect(moves.movedCount == moved)
    // Renaming a flag moves nobody: the one is gone, the other new.
    #expect((moved > 0) == !edit.new.contains("inbox"))
    for (flag, counts) in zip(moves.flags, counts) {
      for transition in flag.transitions {
        #expect(counts[[transition.from, transition.to]] == transition.count)
      }
      let changed = flag.transitions.reduce(0) { $0 + $1.count }
      #expect(changed + flag.unchangedCount == people.count)
      let different = counts.filter { $0.key[0] != $0.key[1] }.values.reduce(0, +)
      #expect(changed == different)
    }
  }

  @Test(
    "examples are the first visitors of a transition, on any number of threads", arguments: edits)
  func examples(_ edit: Edit) async throws {
    let (old, new) = try edit.snapshots()
    let people = try population(3_000, "device=phone:0.5")
    let one = try await VisitorMoves.run(from: old, to: new, population: people, threads: 1)
    let two = try await VisitorMoves.run(from: old, to: new, population: people, threads: 2)
    #expect(one == two)
    for flag in one.flags {
      for transition in flag.transitions {
        #expect(transition.examples.count == min(transition.count, 5))
        for code in transition.examples {
          let number = try #require(Int(code.dropFirst(people.prefix.count)))
          let record = people.record(of: number, catalogue: new.customData)
          #expect(directOutcome(flag.featureKey, code, record, new) == transition.to)
        }
      }
    }
  }

  @Test("a file and itself: nobody moves")
  func same() async throws {
    for (name, file) in try Repository.snapshots() {
      let moves = try await VisitorMoves.run(
        from: file, to: file, population: population(200, "device=phone:0.5", "custom:1=gold:0.3"))
      #expect(moves.movedCount == 0, "\(name)")
      #expect(moves.flags.allSatisfy { $0.transitions.isEmpty && $0.unchangedCount == 200 })
    }
  }

  @Test("the flags that a comparison calls affected are all that move", arguments: edits)
  func affected(_ edit: Edit) async throws {
    let (old, new) = try edit.snapshots()
    let people = try population(1_000, "device=phone:0.5,tablet:0.2", "custom:1=pro:0.3")
    let keys = DataFileComparison(old.dataFile, new.dataFile).affectedFlags
    let all = try await VisitorMoves.run(from: old, to: new, population: people)
    let some = try await VisitorMoves.run(
      from: old, to: new, featureKeys: keys, population: people)
    #expect(some.movedCount == all.movedCount)
    #expect(
      some.flags.filter { !$0.transitions.isEmpty }.map(\.featureKey).sorted()
        == all.flags.filter { !$0.transitions.isEmpty }.map(\.featureKey).sorted())
  }

  @Test("effects: another variation, other variables, only another reason")
  func effects() async throws {
    let before = try snapshot(oneRule())
    let variables = try snapshot(
      oneRule().replacing(
        #"{"key": "on"}"#, with: #"{"key": "on", "variables": [{"key": "v", "value": 1}]}"#))
    let ids = try snapshot(oneRule().replacing(#""variationId": 5"#, with: #""variationId": 6"#))
    let gone = try snapshot(#"{"featureFlags": []}"#)
    let people = try population(1_000)
    func counts(_ new: Snapshot) async throws -> [Int] {
      let moves = try await VisitorMoves.run(from: before, to: new, population: people)
      return VisitorMoves.Effect.allCases.map { moves.flags[0].count($0) }
    }
    let on = try Simulation(["f"], in: before, population: people).flags[0].rows[1].count
    #expect(try await counts(before) == [0, 0, 0])
    #expect(try await counts(variables) == [0, on, 0])
    #expect(try await counts(ids) == [0, 0, on])
    #expect(try await counts(gone) == [1_000, 0, 0])
    #expect(try await counts(snapshot(oneRule(enabled: false))) == [1_000, 0, 0])
  }

  @Test("the document has the keys of the README")
  func document() async throws {
    let (old, new) = try edits[0].snapshots()
    let moves = try await VisitorMoves.run(from: old, to: new, population: population(500))
    let document = moves.document
    #expect(document.objectValue?.map(\.key) == ["visitors", "variationChanges", "flags"])
    #expect(
      document["flags"]?[0]?.objectValue?.map(\.key) == [
        "flag", "variationChanges", "variableChanges", "reasonChanges", "unchanged", "transitions",
      ])
    #expect(
      document["flags"]?[0]?["transitions"]?[0]?.objectValue?.map(\.key) == [
        "from", "to", "effect", "count", "examples",
      ])
  }

  @Test("a cancelled task ends without result")
  func cancelling() async throws {
    let file = try snapshot(oneRule())
    let people = try population(VisitorPopulation.greatestCount)
    let (started, continuation) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await VisitorMoves.run(
        from: file, to: file, population: people, progress: { _ in continuation.yield() })
    }
    for await _ in started { break }
    task.cancel()
    await #expect(throws: AnalysisError.cancelled) { try await task.value }
  }
}
