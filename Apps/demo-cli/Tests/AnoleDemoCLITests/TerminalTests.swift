// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import Testing

@testable import AnoleDemoCLI

@Suite("The terminal")
struct TerminalTests {
  @Test("lines are broken between words, and what follows is indented")
  func breaking() {
    let terminal = Terminal(columns: 20, hasColours: false)
    #expect(terminal.broken("short") == ["short"])
    #expect(terminal.broken(String(repeating: "x", count: 20)).count == 1)
    #expect(
      terminal.broken("  one two three four five six") == [
        "  one two three four", "    five six",
      ])
    #expect(terminal.broken("") == [""])
    let word = String(repeating: "x", count: 50)
    #expect(terminal.broken(word) == [word])
    #expect(terminal.broken("a \(word) b") == ["a", "  \(word)", "  b"])
    #expect(Terminal(columns: 0, hasColours: false).columns == Terminal.narrowest)
  }

  @Test("no command's text is wider than 40 columns, but for words that are")
  func narrow() async {
    let terminal = Terminal(columns: 40, hasColours: false)
    for command in Program.commands {
      let text = await run(command.name, "--help").text(for: terminal)
      for line in text.split(separator: "\n") where line.count > 40 {
        #expect(line.split(separator: " ").count == 1, "\(line)")
      }
    }
    let text = await run("explain", "checkout", "--visitor", "anna").text(for: terminal)
    #expect(text.split(separator: "\n").contains { $0.count <= 40 })
  }

  @Test("colours stand around whole lines, on a terminal alone")
  func colours() async throws {
    let output = await run("explain", "checkout", "--visitor", "anna")
    #expect(!output.text.contains("\u{1B}"))
    let text = output.text(for: Terminal(columns: 200, hasColours: true))
    #expect(text.contains("\u{1B}[1m  result: \"two_steps\""))
    #expect(text.replacing(/\u{1B}\[\d+m/, with: "") == output.text)
    #expect(!output.text(for: Terminal(columns: 200, hasColours: false)).contains("\u{1B}"))
    let document = await run("eval", "--visitor", "anna", "--json")
    #expect(document.text(for: Terminal(columns: 20, hasColours: true)) == document.text)
  }

  @Test("a data file cannot bring control sequences to the terminal")
  func hostile() async {
    let file = #"{"featureFlags": [{"featureKey": "\u001b[31mred", "defaultVariationKey": "off"}]}"#
    let output = await run("eval", "--visitor", "a", "--data-file", "f", files: ["f": file])
    #expect(output.text(for: Terminal(columns: 80, hasColours: false)).contains("\\u{1b}[31mred"))
  }

  @Test("progress is shown once a per cent and taken away in the end")
  func progress() {
    let shown = Lock<[String?]>([])
    let progress = Progress { text in shown.withLock { $0.append(text) } }
    for done in 0...1000 { progress.show(done, of: 1000, "visitor") }
    let all = shown.withLock { $0 }
    #expect(all.count == 101)
    #expect(all.first == "0 % of 1,000 visitors")
    #expect(all.last == .some(nil))
    progress.end()
    progress.show(5, of: 5, "case")
    #expect(shown.withLock { $0.count } == 101)
    progress.show(1, of: 5, "case")
    progress.end()
    #expect(shown.withLock { $0 }.suffix(2) == ["20 % of 5 cases", nil])
  }
}
