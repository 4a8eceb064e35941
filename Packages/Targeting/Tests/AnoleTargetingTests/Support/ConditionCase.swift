// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting
import Testing

/// A condition, what is known of the visitor, and the condition's answer before negation.
struct ConditionCase: Sendable, CustomTestStringConvertible {
  let name: String
  let condition: String
  let data: [VisitorDatum]
  let campaign: Int64?
  let expected: Bool
  var testDescription: String { name }

  init(
    _ name: String, _ condition: String, _ data: [VisitorDatum] = [], campaign: Int64? = nil,
    is expected: Bool
  ) {
    self.name = name
    self.condition = condition
    self.data = data
    self.campaign = campaign
    self.expected = expected
  }

  /// Expects the answer by matching and by explanation, included in every way and excluded.
  func verify(rest: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws {
    let subject = Fixture.subject(data)
    let texts: [(text: String, expected: Bool)] = [
      (condition, expected),
      (Fixture.condition(condition, isInclude: "true"), expected),
      (Fixture.condition(condition, isInclude: "null"), expected),
      (Fixture.condition(condition, isInclude: "false"), !expected),
    ]
    for (text, expected) in texts {
      let index = try Fixture.index(condition: text, rest: rest)
      #expect(
        index.answer(subject, campaign: campaign) == expected, "\(text)",
        sourceLocation: sourceLocation)
      #expect(
        index.explain(segmentAt: 0, subject, campaign: campaign).isMatch == expected, "\(text)",
        sourceLocation: sourceLocation)
    }
  }
}
