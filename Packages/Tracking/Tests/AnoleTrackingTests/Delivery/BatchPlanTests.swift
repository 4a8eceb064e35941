// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleTracking

@Suite("Batches")
struct BatchPlanTests {
  /// A line of a visitor, padded to a number of characters.
  private func padded(_ visitor: String, _ characters: Int, nonce: UInt64 = 1) throws -> StoredLine
  {
    let bare = try line(.pageView(url: "x"), nonce: nonce, of: visitor).line.count
    return try line(
      .pageView(url: String(repeating: "x", count: characters - bare + 1)), nonce: nonce,
      of: visitor)
  }

  /// Adds a line that belongs to the batch.
  private func add(_ line: StoredLine, to plan: inout BatchPlan) {
    let isTaken = plan.take(line)
    #expect(isTaken)
  }

  /// How many of some lines a batch takes.
  private func taken(
    _ lines: [StoredLine], limit: Int, allowance: BatchPlan.Allowance = .init()
  ) -> Int {
    var plan = BatchPlan(characterLimit: limit, allowance: allowance)
    for (position, line) in lines.enumerated() where !plan.take(line) { return position }
    return lines.count
  }

  @Test("visitors are taken until the characters exceed the limit, checked before each visitor")
  func limit() throws {
    let lines = try ["a", "b", "c"].map { try padded($0, 200) }
    #expect(taken(lines, limit: 199) == 1)
    #expect(taken(lines, limit: 200) == 2)
    #expect(taken(lines, limit: 399) == 2)
    #expect(taken(lines, limit: 400) == 3)
  }

  @Test("a visitor is not split, unless it alone has more than twice the limit")
  func wholeVisitors() throws {
    let lines = try (1...9).map { try padded("a", 200, nonce: $0) } + [padded("b", 200)]
    #expect(taken(lines, limit: 900) == 9)
    #expect(taken(lines, limit: 899) == 9)
    #expect(taken(lines, limit: 799) == 8)
    #expect(taken(lines, limit: 200) == 3)
    // What came before does not count against the run.
    let behind = try [padded("z", 200)] + lines
    #expect(taken(behind, limit: 300) == 5)
  }

  @Test("a limit of events splits visitors; probing takes one visitor")
  func allowances() throws {
    let lines = try ["a", "a", "a", "b"].map { try line(conversion(1), of: $0) }
    #expect(taken(lines, limit: 9_999, allowance: .init(events: 2)) == 2)
    #expect(taken(lines, limit: 9_999, allowance: .init(isSingleVisitor: true)) == 3)
    #expect(taken(lines, limit: 9_999, allowance: .init(events: 1, isSingleVisitor: true)) == 1)
  }

  @Test("claims ask for what still fits, and for little where only the end of a visitor is wanted")
  func claims() throws {
    var plan = BatchPlan(characterLimit: 1_000)
    #expect(plan.nextClaim == (BatchPlan.largestClaim, 1_001))
    add(try padded("a", 600), to: &plan)
    #expect(plan.nextClaim == (BatchPlan.largestClaim, 401))
    add(try padded("b", 600), to: &plan)
    #expect(plan.nextClaim == (BatchPlan.smallClaim, 1_000))
    add(try padded("b", 600), to: &plan)
    #expect(!plan.isFull)
    let isTaken = plan.take(try padded("c", 200))
    #expect(!isTaken)
    #expect(plan.isFull)
    #expect(BatchPlan(characterLimit: 9, allowance: .init(events: 3)).nextClaim.count == 3)
    #expect(
      BatchPlan(characterLimit: 9, allowance: .init(isSingleVisitor: true)).nextClaim.count
        == BatchPlan.smallClaim)
  }

  @Test("the lines of a visitor lie together in the order of kinds, those of one kind by age")
  func order() throws {
    var plan = BatchPlan(characterLimit: 99_999)
    let lines = [
      try line(conversion(1), nonce: 1, of: "a"), try line(.device(.phone), nonce: 2, of: "b"),
      try line(.customData(index: 1, values: []), nonce: 3, of: "a"),
      try line(conversion(2), nonce: 4, of: "a"), try line(.device(.phone), nonce: 5, of: "a"),
      try line(.experiment(experimentID: 1, variationID: 1), nonce: 6, of: "b"),
    ]
    for line in lines { add(line, to: &plan) }
    let arranged = plan.arranged()
    #expect(arranged.map { $0.line.text.prefix(22).suffix(1) } == ["5", "3", "1", "4", "2", "6"])
    #expect(arranged.map(\.isFirst) == [true, false, false, false, true, false])
  }

  @Test("activity is left out where the visitor has another line, and twice the same is one")
  func activity() throws {
    var plan = BatchPlan(characterLimit: 99_999)
    for visitor in ["a", "b", "b", "a"] { add(try line(.activity, of: visitor), to: &plan) }
    add(try line(conversion(1), of: "a"), to: &plan)
    let arranged = plan.arranged()
    #expect(arranged.map { $0.line.rank } == [10, 0])
    #expect(arranged.map(\.isFirst) == [true, true])
  }
}
