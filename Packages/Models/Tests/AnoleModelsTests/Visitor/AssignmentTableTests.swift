// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleModelsTesting
import Testing

@Suite("Assignments")
struct AssignmentTableTests {
  private func assignment(
    _ experiment: Int64, _ variation: Int64, origin: Assignment.Origin = .experimentation,
    isSent: Bool = false
  ) -> Assignment {
    Assignment(
      experimentID: experiment, variationID: variation, origin: origin, time: time(variation),
      isSent: isSent)
  }

  @Test("an assignment keeps what it was made of")
  func fields() {
    let origins: [Assignment.Origin] = [.experimentation, .targetedDelivery, .other]
    for milliseconds in [0, 1, -1, 1_759_990_000_000, -62_135_596_800_000] as [Int64] {
      for origin in origins {
        for isSent in [true, false] {
          var assignment = Assignment(
            experimentID: .max, variationID: .min, origin: origin, time: time(milliseconds),
            isSent: isSent)
          #expect(assignment.experimentID == .max && assignment.variationID == .min)
          #expect(assignment.time == time(milliseconds))
          #expect(assignment.origin == origin)
          #expect(assignment.isSent == isSent)
          assignment.isSent.toggle()
          #expect(assignment.isSent != isSent)
          #expect(assignment.origin == origin)
          #expect(assignment.time == time(milliseconds))
        }
      }
    }
  }

  @Test("times out of range are clamped")
  func clamping() {
    func stored(_ milliseconds: Int64) -> Int64 {
      Assignment(
        experimentID: 1, variationID: 1, origin: .other, time: time(milliseconds), isSent: true
      ).time.milliseconds
    }
    #expect(stored(.max) == 1 << 55 - 1)
    #expect(stored(.min) == -(1 << 55))
    #expect(stored(1 << 55 - 1) == 1 << 55 - 1)
    #expect(stored(-(1 << 55)) == -(1 << 55))
  }

  @Test("a table holds one assignment per experiment, by ascending id")
  func order() {
    var table = AssignmentTable()
    #expect(table.isEmpty && table.all.isEmpty && table[1] == nil)
    for id in [5, 3, 9, 1, 7, -2] as [Int64] {
      table.set(assignment(id, id * 10))
      #expect(!table.isEmpty)
    }
    #expect(table.all.map(\.experimentID) == [-2, 1, 3, 5, 7, 9])
    #expect(table[7]?.variationID == 70)
    #expect(table[6] == nil)
  }

  @Test("setting again replaces, with one entry and with several")
  func replacing() {
    var table = AssignmentTable()
    table.set(assignment(1, 10))
    table.set(assignment(1, 11))
    #expect(table.all == [assignment(1, 11)])
    table.set(assignment(2, 20))
    table.set(assignment(1, 12))
    table.set(assignment(2, 21))
    #expect(table.all == [assignment(1, 12), assignment(2, 21)])
  }

  @Test("only what the condition accepts is marked as sent")
  func marking() {
    for count in [1, 4] as [Int64] {
      var table = AssignmentTable()
      for id in 1...count {
        table.set(assignment(id, id, origin: id % 2 == 0 ? .targetedDelivery : .experimentation))
      }
      table.markSent { $0.origin == .targetedDelivery }
      #expect(table.all.map(\.isSent) == (1...count).map { $0 % 2 == 0 })
      table.markSent { _ in true }
      #expect(table.all.filter { !$0.isSent } == [])
    }
  }

  @Test("500 random insertions give what a dictionary gives")
  func againstDictionary() {
    var random = SeededGenerator(seed: 11)
    var table = AssignmentTable()
    var dictionary: [Int64: Assignment] = [:]
    for round in 0..<500 {
      let id = Int64.random(in: -150...150, using: &random)
      let value = assignment(id, Int64(round), isSent: Bool.random(using: &random))
      table.set(value)
      dictionary[id] = value
      #expect(table[id] == value)
      #expect(table.all.count == dictionary.count)
    }
    #expect(table.all == dictionary.values.sorted { $0.experimentID < $1.experimentID })
    for id in -160...160 as ClosedRange<Int64> { #expect(table[id] == dictionary[id]) }
  }
}
