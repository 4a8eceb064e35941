// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleDemoCLI

/// A row of the results table of section 1.10 of the specification.
struct WorkedRow: Sendable, CustomTestStringConvertible {
  let visitor: String
  let options: [String]
  /// new_checkout, team_inbox, promo_a, promo_b: key, variation id, experiment id.
  let flags: [String]
  let assignments: [String]
  var audiences: [Int64] = []
  var testDescription: String { ([visitor] + options).joined(separator: " ") }
}

let workedRows: [WorkedRow] = [
  WorkedRow(
    visitor: "grace-hopper", options: [],
    flags: ["one_page 990112 300102", "off 990121 300103", "off", "on 990141 300105"],
    assignments: ["300102 990112", "300103 990121", "300105 990141", "300900 990002"]),
  WorkedRow(
    visitor: "ada-lovelace", options: [],
    flags: ["off 990111 300102", "off 990121 300103", "off", "on 990141 300105"],
    assignments: ["300102 990111", "300103 990121", "300105 990141", "300900 990002"]),
  WorkedRow(
    visitor: "alan-turing", options: [], flags: ["off", "on 990122 300103", "off", "off"],
    assignments: ["300103 990122", "300900 990002"]),
  WorkedRow(
    visitor: "radia", options: ["--custom-name", "plan=pro", "--country", "FRANCE"],
    flags: ["one_page 990101 300101", "off 990121 300103", "on 990131 300104", "off"],
    assignments: ["300101 990101", "300103 990121", "300104 990131", "300900 990002"],
    audiences: [8001]),
  WorkedRow(
    visitor: "radia", options: ["--custom", "1=pro", "--custom", "4=true", "--device", "tablet"],
    flags: ["off", "off 990121 300103", "on 990131 300104", "off"],
    assignments: ["300103 990121", "300104 990131", "300900 990002"]),
  WorkedRow(
    visitor: "visitor-52", options: ["--custom", "1=pro"], flags: ["off", "off", "off", "off"],
    assignments: ["300900 990001"], audiences: [8001]),
]

@Suite("eval")
struct EvalTests {
  @Test("answers the worked example of the specification", arguments: workedRows)
  func workedExample(_ row: WorkedRow) async throws {
    let output = await Program.run(
      ["eval", "--visitor", row.visitor, "--data-file", Place.workedExample, "--json"]
        + row.options, in: environment())
    #expect(output.status == 0)
    let document = try JSONValue(parsing: output.text)
    let flags = document["flags"]?.arrayValue ?? []
    let answers = flags.map { flag in
      [
        flag["variation"]?.stringValue, flag["variationId"]?.integerValue.map(String.init),
        flag["experimentId"]?.integerValue.map(String.init),
      ].compactMap(\.self).joined(separator: " ")
    }
    #expect(answers.prefix(4) == row.flags[...])
    #expect(flags.last?["error"] == "environmentDisabled")
    let assignments = (document["assignments"]?.arrayValue ?? []).map {
      "\($0["experimentId"] ?? .null) \($0["variationId"] ?? .null)"
    }
    #expect(assignments == row.assignments)
    #expect(document["audiences"] == .array(row.audiences.map { .id($0) }))
  }

  @Test("prints a line a flag")
  func text() async {
    let output = await run("eval", "--visitor", "grace-hopper", "--data-file", Place.workedExample)
    #expect(
      output
        == Output(
          lines: [
            "new_checkout   one_page  active    the split of an experiment                     rule 6002, experiment 300102, variation 990112",
            "team_inbox     off       inactive  the split of an experiment                     rule 6003, experiment 300103, variation 990121",
            "promo_a        off       inactive  default, another flag of the group was picked",
            "promo_b        on        active    a targeted delivery                            rule 6005, experiment 300105, variation 990141",
            "legacy_banner  -         -         not decided, switched off in this environment",
          ], colouring: .answers))
  }

  @Test("prints the named flags in their order, with variables on request")
  func variables() async {
    let output = await run(
      "eval", "promo_b", "new_checkout", "--variables", "--visitor", "grace-hopper",
      "--data-file", Place.workedExample)
    #expect(
      output.text.split(separator: "\n").dropFirst(2) == [
        "    steps (NUMBER) = 1", "    discount (NUMBER) = 2.5",
        "    title (STRING) = \"Quick checkout\"", "    showLogo (BOOLEAN) = true",
        "    layout (JSON) = {\"columns\":2,\"order\":[\"cart\",\"pay\"]}",
      ])
  }

  @Test("ends with 1 if a named flag cannot be decided")
  func disabled() async {
    let output = await run("eval", "old_search", "--visitor", "anna")
    #expect(
      output.text == "old_search  -  -  not decided, switched off in this environment\n")
    #expect(output.status == 1)
    #expect(await run("eval", "--visitor", "anna").status == 0)
  }

  @Test("repeating an index adds a value, by index and by name")
  func severalValues() async throws {
    let output = try await runJSON(
      "eval", "express_delivery", "--visitor", "chloe", "--custom", "1=basic", "--custom-name",
      "plan=gold")
    #expect(output["flags"]?[0]?["variation"] == "on")
  }

  @Test("a forced variation goes past targeting")
  func forced() async throws {
    let output = try await runJSON(
      "eval", "express_delivery", "--visitor", "chloe", "--force", "900101=on")
    #expect(output["flags"]?[0]?["reason"] == "forced")
  }

  @Test("refused consent blocks experiments and spares deliveries")
  func consent() async throws {
    let text = ShopDataFile.text.replacing("NOT_REQUIRED", with: "REQUIRED")
    let output = try await runJSON(
      "eval", "--visitor", "hugo", "--device", "phone", "--consent", "refused", "--data-file",
      "f", files: ["f": text])
    let reasons = output["flags"]?.arrayValue?.map { $0["reason"] }
    #expect(
      reasons == [
        "noRuleApplied", "consentRefused", "excludedByGroup", "targetedDelivery", nil,
      ])
    let blocking = text.replacing(
      "\"REQUIRED\"", with: "\"REQUIRED\", \"consentOptOutBehavior\": \"FULLY_BLOCK\"")
    let blocked = await run(
      "eval", "checkout", "--visitor", "hugo", "--consent", "refused", "--data-file", "f",
      files: ["f": blocking])
    #expect(
      blocked.text == "checkout  -  -  not decided, consent was refused and that blocks fully\n")
    #expect(blocked.status == 1)
  }

  @Test("the time is the clock's unless --now says otherwise")
  func time() async throws {
    #expect(try await runJSON("eval", "--visitor", "anna")["now"] == 1_767_225_600_000)
    let other = try await runJSON(
      "eval", "--visitor", "anna", "--now", "1000", "--utc-offset", "-3600")
    #expect(other["now"] == 1000)
  }

  @Test("reads standard input and says so")
  func standardInput() async throws {
    let output = try await runJSON(
      "eval", "--visitor", "anna", "--data-file", "-", files: ["-": ShopDataFile.text])
    #expect(output["dataFile"] == "standard input")
  }

  @Test("hints at elements that were left out")
  func remarks() async {
    let output = await run(
      "eval", "--visitor", "anna", "--data-file", "f",
      files: ["f": #"{"featureFlags": [7, {"featureKey": "a"}]}"#])
    #expect(
      output.remarks == ["f: 1 thing in it cannot be used as written; demo-cli lint tells which"])
    #expect(output.status == 0)
  }

  @Test("a data file without flags is no failure")
  func noFlags() async {
    let output = await run("eval", "--visitor", "anna", "--data-file", "f", files: ["f": "{}"])
    #expect(output == Output(lines: ["f has no flags"], colouring: .answers))
  }

  @Test("control characters of a data file do not reach the terminal")
  func controlCharacters() async {
    let text = #"{"featureFlags": [{"featureKey": "a\u001b[2Jb\nc", "environmentEnabled": true}]}"#
    let output = await run("eval", "--visitor", "anna", "--data-file", "f", files: ["f": text])
    #expect(output.text.hasPrefix("a\\u{1b}[2Jb\\nc  "))
  }
}
