// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleTargeting

/// A pattern that backtracks exponentially on its text in a careless engine.
struct AttackCase: Sendable, CustomTestStringConvertible {
  let pattern: String
  let text: String
  /// Whether the engine may also find out at once that there is no match.
  let maySeeThrough: Bool

  init(_ pattern: String, _ text: String, maySeeThrough: Bool = false) {
    self.pattern = pattern
    self.text = text
    self.maySeeThrough = maySeeThrough
  }

  var testDescription: String { "\(pattern) on \(text.count) characters" }

  var condition: String {
    RawJSON(
      .object([
        JSONValue.Member(key: "targetingType", value: "VISITOR_CODE"),
        JSONValue.Member(key: "matchType", value: "REGULAR_EXPRESSION"),
        JSONValue.Member(key: "visitorCode", value: .string(pattern)),
      ])
    ).text
  }
}

private func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

private let attacks: [AttackCase] = [
  AttackCase("(a+)+$", letters(40) + "b"),
  AttackCase("(a|a)*b", letters(40), maySeeThrough: true),
  AttackCase("(a|a)*b", letters(40) + "bc"),
  AttackCase("(.*)*x", letters(40), maySeeThrough: true),
  AttackCase("(.*)*x", letters(40) + "xy"),
  AttackCase(#"^(\w+\s?)*$"#, letters(60) + "!"),
  AttackCase("(a|aa)+", letters(60) + "b"),
  AttackCase("(a?){60}a{60}", letters(59), maySeeThrough: true),
  AttackCase(#"([a-zA-Z0-9._-]+)+@x"#, letters(60) + "@y@x!"),
  AttackCase("((a+)+)+", letters(60) + "\u{E9}"),
]

/// Patterns that would take gigabytes.
private let bombs: [String] = [
  "((a{1000}){1000}){1000}",
  "(((((a{10}){10}){10}){10}){10}){10}",
  #"((\w{1000}){1000}){1000}"#,
  String(repeating: "(", count: 5_000) + String(repeating: ")", count: 5_000),
  String(repeating: "a", count: 30_000),
]

@Suite("Patterns cannot hang or exhaust memory (4.2)")
struct PatternSafetyTests {
  private static let gaveUp = "the regular expression took too many steps"

  @Test("exponential backtracking ends without a match", arguments: attacks)
  func attack(_ row: AttackCase) throws {
    let outcome = try Pattern(row.pattern).match(MatchText(row.text))
    #expect(outcome == .gaveUp || row.maySeeThrough && outcome == .differs)
  }

  @Test("a search that gave up is false before negation, and the trace says so", arguments: attacks)
  func attackInCondition(_ row: AttackCase) throws {
    let subject = Fixture.subject(code: row.text)
    let index = try Fixture.index(condition: row.condition)
    #expect(!index.answer(subject))
    #expect(index.note(subject) == Self.gaveUp || row.maySeeThrough && index.note(subject) == nil)
    #expect(index.diagnostics.isEmpty)
    #expect(
      try Fixture.index(condition: Fixture.excluded(row.condition)).answer(subject))
  }

  @Test("the trace names a pattern that gave up wherever patterns are used")
  func notes() throws {
    let text = letters(40) + "b"
    let pattern = #""(a+)+$""#
    let match = #""matchType":"REGULAR_EXPRESSION""#
    let views: [VisitorDatum] = [.page(text, text, at: 2), .page(text + "c", at: 1)]
    let rows: [(condition: String, data: [VisitorDatum])] = [
      (
        #"{"targetingType":"CUSTOM_DATUM","customDataIndex":"1","value":\#(pattern),"#
          + #""valueMatchType":"REGULAR_EXPRESSION"}"#, [.values(1, "x", text)]
      ),
      (#"{"targetingType":"PAGE_URL","url":\#(pattern),\#(match)}"#, views),
      (#"{"targetingType":"PAGE_TITLE","title":\#(pattern),\#(match)}"#, views),
      (#"{"targetingType":"PREVIOUS_PAGE","url":\#(pattern),\#(match)}"#, views),
      (
        #"{"targetingType":"COOKIE","name":"n","nameMatchType":"EXACT","value":\#(pattern),"#
          + #""valueMatchType":"REGULAR_EXPRESSION"}"#, [.cookies([Cookie(name: "n", value: text)])]
      ),
    ]
    for (condition, data) in rows {
      let index = try Fixture.index(condition: condition)
      #expect(!index.answer(Fixture.subject(data)))
      #expect(index.note(Fixture.subject(data)) == Self.gaveUp, "\(condition)")
    }
  }

  @Test("patterns that would take too much memory do not compile", arguments: bombs)
  func bomb(_ pattern: String) throws {
    #expect(throws: PatternError.self) { try Pattern(pattern) }
    let index = try Fixture.index(condition: AttackCase(pattern, "").condition)
    #expect(!index.answer(Fixture.subject(code: letters(1_000))))
    #expect(index.diagnostics.count == 1)
  }

  @Test("an invalid pattern is false, and the trace and a diagnostic say why")
  func invalid() throws {
    let index = try Fixture.index(condition: AttackCase("a(b", "").condition)
    let note = try #require(index.note(Fixture.subject(code: "ab")))
    #expect(!index.answer(Fixture.subject(code: "ab")))
    #expect(note.hasPrefix("invalid regular expression: missing closing parenthesis"))
    #expect(index.diagnostics.map(\.message) == ["never matches: \(note)"])
  }

  @Test(
    "long values are no attack: a thousand alternations match", arguments: [1, 100, 1_000, 3_000])
  func longValue(_ count: Int) throws {
    #expect(try Pattern("(a|b)*").match(MatchText(letters(count))) == .matches)
    #expect(try Pattern("(a|b)*").match(MatchText(letters(count) + "c")) == .differs)
    #expect(try Pattern("[ab]*c?").match(MatchText(letters(count * 100))) == .matches)
  }

  @Test("eight tasks match one pattern at once")
  func concurrent() async throws {
    let pattern = try Pattern(#"(?i)user-(\d+|[a-f]+)@(x|y)\.example"#)
    let wrong = await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<500).count { number in
            let text = "User-\(number * 8 + task)@x.example"
            let isRight =
              pattern.match(MatchText(text)) == .matches
              && pattern.match(MatchText(text + "s")) == .differs
            return !isRight
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }

  @Test("eight tasks give up on one pattern at once")
  func concurrentAttack() async throws {
    let pattern = try Pattern("(a+)+$")
    let text = MatchText(letters(40) + "b")
    let gaveUp = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<5).count { _ in pattern.match(text) == .gaveUp } }
      }
      return await group.reduce(0, +)
    }
    #expect(gaveUp == 40)
  }
}
