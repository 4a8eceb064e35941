// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleEvaluation

extension Demonstration {
  /// The demonstration for people, under 130 lines.
  var lines: [String] {
    [
      "Anole decides feature flags from a data file, on the spot and without network.",
      "The built-in shop has five flags, 5 % of its visitors in a holdout, and a segment for the",
      "plans gold and platinum.",
    ]
      + Self.heading(
        1, "Several visitors, and what they get",
        "The same code always gets the same answer; nothing is stored for that.")
      + guestLines
      + Self.heading(
        2, "Why: every step of one decision",
        "From the top: holdout, rules, the hash that picks. The arrow marks the chosen entry.")
      + plain.description.split(separator: "\n").map(String.init)
      + Self.heading(
        3, "The same visitor after custom data is added",
        "With the plan gold the visitor is in segment 7001, and an earlier rule decides.")
      + withPlan.description.split(separator: "\n").map(String.init) + ["", difference]
      + Self.heading(
        4, "The split among \(Wording.count(simulation.visitorCount, "visitor"))",
        "Shares of \"\(Self.explainedFlag)\" beside what the rules promise, in percentage points.")
      + SimulationText(simulation).lines.dropFirst()
      + Self.heading(
        5, "A change arrives while the program runs",
        "The platform is played by the emulator on this computer; the requests are real HTTP.")
      + change.steps.enumerated().map { "\($0 + 1). \($1)" }
      + Self.heading(
        6, "What to try next",
        "From the root of the repository. Each takes --json, and --help tells the options.")
      + Self.suggestions
      + ["", "In two terminals, the platform and a client of it:", ""] + Self.serverSuggestions
  }

  private static func heading(_ number: Int, _ title: String, _ text: String) -> [String] {
    let line = "\(number). \(title)"
    return ["", line, String(repeating: "=", count: line.count), text, ""]
  }

  private var guestLines: [String] {
    guests.enumerated().flatMap { position, item in
      var table = Table([.left, .left, .left, .left])
      for answer in item.answers { table.add(Array(answer.cells.prefix(4))) }
      return (position > 0 ? [""] : []) + ["\(item.guest.code) (\(item.guest.about))"]
        + table.lines.map { "  \($0)" }
    }
  }

  private var difference: String {
    let before = plain.outcome?.variationKey ?? "nothing"
    let after = withPlan.outcome?.variationKey ?? "nothing"
    return "Before: \"\(before)\". Now: \"\(after)\". The other rule is not even asked."
  }

  /// Commands that work as they stand, and what they show.
  static let suggestions = [
    "  scripts/demo-cli eval --visitor your-name --variables     # what would you get?",
    "  scripts/demo-cli eval --visitor your-name --custom-name plan=gold",
    "  scripts/demo-cli eval free_gift --visitor dora --force 900105=on   # past its targeting",
    "  scripts/demo-cli explain summer_sale --visitor dora       # a group lets one flag through",
    "  scripts/demo-cli simulate free_gift --device tablet       # shares, halved by the group",
    "  scripts/demo-cli conformance Tests/Fixtures/vectors       # 8,334 golden cases",
    "  scripts/demo-cli lint Tests/Fixtures/vectors/datafiles/chain.json   # then your own file",
  ]

  /// Commands of which the first runs until it is ended.
  static let serverSuggestions = [
    "  scripts/demo-cli serve --port 8080",
    "  scripts/demo-cli fetch my-site --endpoint http://127.0.0.1:8080",
  ]
}
