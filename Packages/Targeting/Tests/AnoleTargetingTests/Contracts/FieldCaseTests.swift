// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting
import Testing

/// A visitor of the public reports on "is not" for those who lack the attribute.
struct LackingCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let data: [VisitorDatum]
  let isIncluded: Bool
  let note: String?

  init(_ name: String, _ data: [VisitorDatum], isIncluded: Bool, note: String? = nil) {
    testDescription = name
    self.data = data
    self.isIncluded = isIncluded
    self.note = note
  }
}

private let lackingCases: [LackingCase] = [
  LackingCase("(a) no datum", [], isIncluded: false, note: "attribute missing"),
  LackingCase("(b) gold", [.values(7, "gold")], isIncluded: true),
  LackingCase("(c) silver", [.values(7, "silver")], isIncluded: false),
  LackingCase("(d) silver and gold", [.values(7, "silver", "gold")], isIncluded: true),
  LackingCase(
    "(e) empty list", [.customData(index: 7, values: [])], isIncluded: false,
    note: "attribute missing"),
]

@Suite("\"Is not\" for a visitor who lacks the attribute")
struct FieldCaseTests {
  private static let gold =
    #"{"targetingType":"CUSTOM_DATUM","customDataIndex":"7","valueMatchType":"EXACT","#
    + #""value":"gold"}"#

  @Test(
    "include and exclude are exact opposites, and the trace tells what is missing",
    arguments: lackingCases)
  func lacking(_ row: LackingCase) throws {
    let subject = Fixture.subject(row.data)
    for isInclude in [true, false] {
      let text = Fixture.condition(Self.gold, isInclude: "\(isInclude)")
      let index = try Fixture.index(condition: text)
      #expect(index.answer(subject) == (row.isIncluded == isInclude))
      let trace = index.explain(segmentAt: 0, subject)
      #expect(trace.isMatch == (row.isIncluded == isInclude))
      #expect(index.note(subject) == row.note)
      #expect(trace.description.contains("(attribute missing)") == (row.note != nil))
    }
  }
}
