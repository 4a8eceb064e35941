// SPDX-License-Identifier: Apache-2.0

import AnoleCodeGeneration
import AnoleModels
import Testing

struct NameCase: Sendable, CustomTestStringConvertible {
  let key: String
  let name: String
  init(_ key: String, _ name: String) { (self.key, self.name) = (key, name) }
  var testDescription: String { key.debugDescription }
}

private let nameCases: [NameCase] = [
  NameCase("checkout", "checkout"),
  NameCase("new_checkout", "newCheckout"),
  NameCase("new-checkout.v2", "newCheckoutV2"),
  NameCase("NEW_CHECKOUT", "newCheckout"),
  NameCase("MyFlag", "myFlag"),
  NameCase("URLField", "urlField"),
  NameCase("  spaced   out ", "spacedOut"),
  NameCase("2fa", "flag2fa"),
  NameCase("2", "flag2"),
  NameCase("default", "default"),
  NameCase("init", "initFlag"),
  NameCase("self", "selfFlag"),
  NameCase("string", "stringFlag"),
  NameCase("flags", "flagsFlag"),
  NameCase("reader", "readerFlag"),
  NameCase("été", "été"),
  NameCase("e\u{301}te\u{301}", "ete"),
  NameCase("変数", "変数"),
  NameCase("ßa", "ßa"),
  NameCase("a*/b", "aB"),
  NameCase("x\u{202E}y", "xY"),
  NameCase("🎉", "flag_2f29"),
  NameCase("", "flag_2325"),
  NameCase("a\u{0}b", "aB"),
]

private let collisions: [[String]] = [
  ["my-flag", "my_flag", "MyFlag"],
  ["ı", "i"],
  ["a", "A", "_a", "a_"],
]

@Suite("Names")
struct NamingTests {
  private func names(_ keys: [String]) -> [String: String] {
    let names = FlagNames(.flags(keys), namespace: "Flags")
    return Dictionary(names.methods.map { ($0.key, $0.name) }) { first, _ in first }
  }

  @Test("a key becomes its words in camel case, as far as Swift allows", arguments: nameCases)
  func words(_ row: NameCase) {
    let names = FlagNames(.flags([row.key]), namespace: "Flags")
    #expect(names.methods.map(\.name) == [row.name])
  }

  @Test("keys with the same words get names of their own", arguments: collisions)
  func collision(_ keys: [String]) throws {
    let names = FlagNames(.flags(keys), namespace: "Flags")
    #expect(Set(names.methods.map(\.name)).count == keys.count)
    let types = names.methods.map { $0.name.prefix(1).uppercased() + $0.name.dropFirst() }
    #expect(Set(types).count == keys.count)
    // The oldest keeps the plain name, and the others tell who has it.
    #expect(names.renamings.map(\.key) == Array(keys.dropFirst()))
    let first = try #require(names.renamings.first)
    #expect(first.reason == .taken(by: keys[0]))
    #expect(first.description.contains("has the plain name"))
  }

  @Test("flags that are added do not rename the ones that are there")
  func stability() {
    var keys = ["my-flag", "checkout", "2fa", "🎉"]
    let before = names(keys)
    keys += ["my_flag", "Checkout", "CHECKOUT", "flag2fa", "flag_2f29", "🚀", "MyFlag"]
    let after = names(keys)
    #expect(after.count == keys.count)
    for (key, name) in before { #expect(after[key] == name) }
  }

  @Test("the order of the flags in the file plays no role, their age does")
  func age() {
    let file = DataFile.flags(["my-flag", "my_flag"])
    var reversed = file
    reversed.featureFlags.reverse()
    let (left, right) = (
      FlagNames(file, namespace: "Flags"), FlagNames(reversed, namespace: "Flags")
    )
    #expect(left.methods.map(\.name) == right.methods.map(\.name))
    #expect(left.renamings == right.renamings)
  }

  @Test("of two flags with one key the later counts")
  func duplicates() throws {
    var file = DataFile.flags(["checkout", "checkout"])
    file.featureFlags[1].variations = [FlagVariation("late")]
    let source = try SwiftGenerator().source(for: file)
    #expect(source.flagCount == 1)
    #expect(source.text.contains("case late"))
  }

  @Test("two keys that only look alike are two")
  func normalisation() throws {
    let source = try SwiftGenerator().source(for: .flags(["\u{E9}", "e\u{301}"]))
    #expect(source.flagCount == 2)
    #expect(source.text.contains("static let key = \"\u{E9}\""))
    #expect(source.text.contains("static let key = \"e\\u{301}\""))
  }

  @Test("a name for the enum that Swift or the client cannot take is refused")
  func namespaces() throws {
    for name in [
      "", "flags", "2Flags", "Fl ags", "Flags;", "Self", "String", "Ready", "Flägs", "_",
    ] {
      let error = #expect(throws: GenerationError.self) { try SwiftGenerator(name: name) }
      #expect(error?.name == name)
      #expect(error?.description.contains("begin") == true)
    }
    #expect(throws: GenerationError.self) {
      try SwiftGenerator(name: String(repeating: "F", count: 61))
    }
    #expect(try SwiftGenerator(name: "ShopFlags").property == "shopFlags")
  }
}
