// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AnoleDemoCLI

@Suite("Arguments and wording")
struct ArgumentsTests {
  private let name = Option("name", letter: "n", value: "TEXT", help: "")
  private let all = Option("all", letter: "a", help: "")

  private func read(_ arguments: String...) throws(Failure) -> Arguments {
    try Arguments(arguments, options: [name, all])
  }

  @Test("options stand anywhere, in every form of getopt_long")
  func forms() throws {
    let arguments = try read("x", "--name=1", "y", "-n2", "--name", "3", "-an", "4", "--na", "5")
    #expect(arguments.operands == ["x", "y"])
    #expect(arguments.values(name) == ["1", "2", "3", "4", "5"])
    #expect(arguments.value(name) == "5")
    #expect(arguments.has(all))
  }

  @Test("what follows -- is an operand, and so is a single dash")
  func operands() throws {
    #expect(try read("-", "--", "--name").operands == ["-", "--name"])
    #expect(try read().operands == [])
  }

  @Test("a value may be empty or look like an option")
  func values() throws {
    #expect(try read("--name", "--all").values(name) == ["--all"])
    #expect(try read("--name=").values(name) == [""])
  }

  @Test("a cluster of many letters is read to its end")
  func cluster() throws {
    #expect(try read("-" + String(repeating: "a", count: 5_000) + "n5").value(name) == "5")
  }

  @Test("many threads may read at once")
  func threads() async throws {
    try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<200 {
        group.addTask {
          try Arguments(["\(number)", "--name", "\(number)"], options: [name]).values(name)
            + Arguments(["\(number)", "--name", "1"], options: [name]).operands
        }
      }
      for try await values in group { #expect(values[0] == values[1]) }
    }
  }

  @Test("numbers for people")
  func numbers() {
    #expect(Wording.grouped(1_234_567) == "1,234,567")
    #expect(Wording.grouped(123) == "123")
    #expect(Wording.percent(0.5) == "50.00 %")
    #expect(Wording.percent(0.00129) == "0.13 %")
    #expect(Wording.points(-0.0012) == "-0.12")
    #expect(Wording.points(0.01) == "+1.00")
    #expect(Wording.points(-0.000001) == "±0.00")
    #expect(Wording.list(["a"], "or") == "a")
    #expect(Wording.list(["a", "b", "c"], "or") == "a, b or c")
    #expect(Wording.count(1, "flag") == "1 flag")
    #expect(Wording.count(2_000, "flag") == "2,000 flags")
  }

  @Test("near names")
  func nearest() {
    let names = ["checkout", "new_checkout", "banner"]
    #expect(Nearest.names(to: "chekcout", among: names) == ["checkout"])
    #expect(Nearest.names(to: "Checkout", among: names) == ["checkout", "new_checkout"])
    #expect(Nearest.names(to: "", among: names) == [])
    #expect(Nearest.names(to: String(repeating: "x", count: 100_000), among: names) == [])
  }
}
