// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

private let onEntry = FileText.entry("on", 11)
private let served = "on 11/101 experiment [1 served]"

/// Section 8.3; one test a row.
@Suite("8.3, malformed input")
struct MalformedInputTests {
  private static func text(rules: String = "", variables: String = "") -> String {
    """
    {"featureFlags":[{"featureKey":"flag","environmentEnabled":true,"defaultVariationKey":"off",
      "variations":[{"key":"on","variables":[\(variables)]}],"rules":[\(rules)]}]}
    """
  }

  @Test("a rule without id is skipped")
  func ruleWithoutID() throws {
    let broken = """
      {"type":"EXPERIMENTATION","experimentId":100,"exposition":1,
       "variationByExposition":[\(FileText.entry("a", 1))]}
      """
    let snapshot = try FileText.snapshot(
      text: Self.text(rules: "\(broken),\(FileText.rule(1, onEntry).text)"))
    #expect(TestVisitor("visitor1", of: snapshot).answer() == served)
  }

  @Test("a JSON variable with unparsable text has no value")
  func unparsableVariable() throws {
    let snapshot = try FileText.snapshot(
      text: Self.text(
        variables: """
          {"key":"x","type":"JSON","value":"{oops"},{"key":"y","type":"JSON","value":"42"}
          """))
    let variation = try snapshot.variation("on", ofFlag: "flag")
    #expect(variation.variable("x")?.value == .null)
    #expect(variation.variable("y")?.value == .int(42))
  }

  @Test("CUSTOM_DATUM with unknown operator or without index never matches; integers are indexes")
  func customDatumFields() throws {
    let index = "\"customDataIndex\":\"1\""
    let value = "\"value\":\"yes\""
    for members in [
      "\(index),\"valueMatchType\":\"SOUNDS_LIKE\",\(value)", "\(index),\(value)",
      "\"valueMatchType\":\"EXACT\",\(value)",
      "\"customDataIndex\":{},\"valueMatchType\":\"EXACT\",\(value)",
    ] {
      #expect(try !isTargeted(FileText.condition("CUSTOM_DATUM", members), datum("yes")))
    }
    let integer = "\"customDataIndex\":1,\"valueMatchType\":\"EXACT\",\(value)"
    #expect(try isTargeted(FileText.condition("CUSTOM_DATUM", integer), datum("yes")))
  }

  @Test("a tree without groups, or a group without conditions, is true")
  func emptyTrees() throws {
    for tree in ["{}", "{\"firstLevel\":[]}", "{\"firstLevel\":[{}]}", "null"] {
      let snapshot = try FileText.snapshot(
        FileText.flag(FileText.rule(1, segment: 5, onEntry)),
        segments: "{\"id\":5,\"conditionsData\":\(tree)}")
      #expect(TestVisitor("visitor1", of: snapshot).answer() == served, "\(tree)")
    }
  }

  @Test("a condition with a missing or unknown literal never matches")
  func unknownLiterals() throws {
    let conditions = [
      ("DEVICE_TYPE", "\"device\":\"TOASTER\""), ("OPERATING_SYSTEM", "\"os\":\"BEOS\""),
      ("BROWSER", "\"browser\":\"LYNX\""), ("NEW_VISITORS", "\"visitorType\":\"OLD\""),
      ("VISITOR_CODE", "\"visitorCode\":\"visitor1\""),
      ("VISITS", "\"visitCount\":1,\"matchType\":\"ROUGHLY\""),
      ("COOKIE", "\"name\":\"a\",\"value\":\"b\",\"valueMatchType\":\"EXACT\""),
    ]
    let data: [VisitorDatum] = [
      .device(.phone), .operatingSystem(.linux), .browser(Browser(type: .other)), .visits([]),
      .cookies([Cookie(name: "a", value: "b")]),
    ]
    for (type, members) in conditions {
      #expect(try !isTargeted(FileText.condition(type, members), data), "\(type)")
      #expect(try !isTargeted(FileText.condition(type), data), "\(type) without members")
    }
  }

  @Test("COOKIE without name or value never matches")
  func cookie() throws {
    let cookies: [VisitorDatum] = [.cookies([Cookie(name: "a", value: "b")])]
    let operators = "\"nameMatchType\":\"CONTAINS\",\"valueMatchType\":\"CONTAINS\""
    let name = "\"name\":\"a\""
    let value = "\"value\":\"b\""
    #expect(try isTargeted(FileText.condition("COOKIE", "\(operators),\(name),\(value)"), cookies))
    #expect(try !isTargeted(FileText.condition("COOKIE", "\(operators),\(name)"), cookies))
    #expect(try !isTargeted(FileText.condition("COOKIE", "\(operators),\(value)"), cookies))
  }
}
