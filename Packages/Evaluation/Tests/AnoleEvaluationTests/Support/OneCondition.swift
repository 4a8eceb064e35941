// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

/// Whether a visitor with some data is targeted by a rule with one condition.
func isTargeted(
  _ condition: String, _ data: [VisitorDatum] = [], segments: String...
) throws -> Bool {
  let snapshot = try FileText.snapshot(
    FileText.flag(FileText.rule(1, segment: 5, FileText.entry("on", 11))),
    segments: ([FileText.segment(5, condition)] + segments).joined(separator: ","))
  let visitor = TestVisitor("visitor1", of: snapshot, data)
  let served = "on 11/101 experiment [1 served]"
  let answer = visitor.answer()
  try #require(answer == served || answer == "off noRuleApplied [1 notTargeted]")
  return answer == served
}

/// Values of custom data index 1.
func datum(_ values: String...) -> [VisitorDatum] {
  [.customData(index: 1, values: values)]
}

/// The text of a condition on custom data index 1.
func customDatum(_ operation: String, _ value: String = "null") -> String {
  FileText.condition(
    "CUSTOM_DATUM",
    "\"customDataIndex\":\"1\",\"valueMatchType\":\"\(operation)\",\"value\":\(value)")
}
