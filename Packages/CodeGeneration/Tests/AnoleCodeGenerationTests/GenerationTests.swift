// SPDX-License-Identifier: Apache-2.0

import AnoleCodeGeneration
import AnoleModels
import Foundation
import Testing

struct TypeCase: Sendable, CustomTestStringConvertible {
  let variables: [Variable]
  let declaration: String
  init(_ variables: [Variable], _ declaration: String) {
    (self.variables, self.declaration) = (variables, declaration)
  }
  var testDescription: String { declaration }
}

private func variable(_ type: String, _ value: VariableValue) -> Variable {
  Variable(key: "x", type: type, value: value)
}

/// The values of one variable in all variations of a flag, of which the first is the default.
private let typeCases: [TypeCase] = [
  TypeCase([variable("BOOLEAN", .bool(true)), variable("BOOLEAN", .bool(false))], "Bool = true"),
  TypeCase([variable("NUMBER", .int(3)), variable("NUMBER", .int(-1))], "Int = 3"),
  TypeCase([variable("NUMBER", .int(3)), variable("NUMBER", .double(0.5))], "Double = 3.0"),
  TypeCase([variable("NUMBER", .int(.min))], "Int = -9223372036854775808"),
  TypeCase([variable("STRING", .string("a\"b"))], #"String = "a\"b""#),
  TypeCase([variable("CSS", .string(".a{}"))], #"String = ".a{}""#),
  TypeCase([variable("JSON", .int(42))], #"JSON = JSON(text: "42")"#),
  TypeCase([variable("BOOLEAN", .string("true"))], #"String = "true""#),
  TypeCase(
    [variable("NUMBER", .string("12")), variable("NUMBER", .int(12))],
    #"JSON = JSON(text: "\"12\"")"#),
  TypeCase([variable("NUMBER", .int(1)), variable("NUMBER", .null)], "Int? = 1"),
  TypeCase([variable("NUMBER", .null)], "Double? = nil"),
  TypeCase([variable("WEIRD", .null)], "JSON? = nil"),
  TypeCase([variable("JSON", .null), variable("JSON", .int(1))], "JSON? = nil"),
]

@Suite("Generated source")
struct GenerationTests {
  /// The expected file was read through line by line when it was made.
  @Test("the shop's source is the golden file")
  func golden() throws {
    let source = try SwiftGenerator(access: .public).source(for: Fixture.dataFile("shop.json"))
    #expect(source.text == (try Fixture.text("ShopFlags.swift.txt")))
    #expect(source.flagCount == 5)
    #expect(source.renamings.isEmpty)
  }

  @Test("the same data file gives the same source, in whatever order its flags stand")
  func determinism() throws {
    for name in ["shop.json", "hostile.json"] {
      let file = try Fixture.dataFile(name)
      var unique = file
      // Of two flags with one key the later counts, so their order matters.
      let keys = Dictionary(grouping: file.featureFlags) { ExactText($0.key) }
      unique.featureFlags = keys.values.compactMap(\.last)
      let first = try SwiftGenerator().source(for: file)
      #expect(try SwiftGenerator().source(for: file) == first)
      #expect(try SwiftGenerator().source(for: unique).text == first.text)
    }
  }

  @Test("publishing rules and shares does not change the source")
  func rules() throws {
    let file = try Fixture.dataFile("shop.json")
    var other = file
    for index in other.featureFlags.indices {
      other.featureFlags[index].rules = []
      other.featureFlags[index].isEnvironmentEnabled.toggle()
    }
    other.segments = []
    other.dateModified = Timestamp(milliseconds: 1)
    #expect(try SwiftGenerator().source(for: other) == SwiftGenerator().source(for: file))
  }

  @Test("a variable's type holds all of its values", arguments: typeCases)
  func types(_ row: TypeCase) throws {
    var flag = FeatureFlag.simple("f")
    flag.variations = row.variables.enumerated().map { position, variable in
      FlagVariation(position == 0 ? "off" : "v\(position)", [variable])
    }
    var file = DataFile()
    file.featureFlags = [flag]
    let text = try SwiftGenerator().source(for: file).text
    #expect(text.contains("      x: \(row.declaration)\n"), "\(text)")
  }

  @Test("a variable that a variation does not have, or without a default variation, is optional")
  func optional() throws {
    let on = FlagVariation("on", [variable("NUMBER", .int(1))])
    var file = DataFile.flags(["f"])
    file.featureFlags[0].variations = [FlagVariation("off"), on]
    #expect(try SwiftGenerator().source(for: file).text.contains("let x: Int?"))
    file.featureFlags[0].variations = [on]
    let text = try SwiftGenerator().source(for: file).text
    #expect(text.contains("let x: Int?"))
    #expect(text.contains(#"static let fallback = Self(variation: .other("off"))"#))
    file.featureFlags[0].defaultVariationKey = "on"
    #expect(try SwiftGenerator().source(for: file).text.contains("let x: Int\n"))
  }

  @Test("a flag whose default is another than off has values for the time it is switched off")
  func switchedOff() throws {
    var file = DataFile.flags(["f"])
    file.featureFlags[0].defaultVariationKey = "on"
    file.featureFlags[0].variations = [
      FlagVariation("off", [variable("NUMBER", .int(1))]),
      FlagVariation("on", [variable("NUMBER", .int(2))]),
    ]
    let text = try SwiftGenerator().source(for: file).text
    #expect(text.contains("static let fallback = Self(variation: .on)"))
    #expect(
      text.contains(
        "static let switchedOff = Self(\n      variation: .off,\n      x: 1)"), "\(text)")
  }

  @Test("the access level stands before every declaration that is not private")
  func access() throws {
    let file = try Fixture.dataFile("shop.json")
    let open = try SwiftGenerator(access: .public).source(for: file).text
    let package = try SwiftGenerator(access: .package).source(for: file).text
    let closed = try SwiftGenerator().source(for: file).text
    #expect(open.replacing("public ", with: "package ") != open)
    #expect(
      package.dropFirst(100)
        == open.replacing("public ", with: "package ").replacing(
          "--access public", with: "--access package"
        ).dropFirst(100))
    #expect(!closed.contains("public ") && !closed.contains("package "))
    #expect(closed.contains("\nimport kameleoonClient\n"))
  }

  @Test("hostile keys stay within literals and comments")
  func hostile() throws {
    let source = try SwiftGenerator().source(for: Fixture.dataFile("hostile.json"))
    #expect(source.flagCount > 100)
    #expect(!source.text.contains("*/") && !source.text.contains("/*"))
    // Nothing but letters, marks, numbers, punctuation and line feeds.
    let scalars = Set(source.text.unicodeScalars)
    #expect(scalars.filter { $0.value < 0x20 } == ["\n"])
    for scalar in ["\u{202E}", "\u{200B}", "\u{2028}", "\u{FEFF}", "\u{301}"] as [Unicode.Scalar] {
      #expect(!scalars.contains(scalar))
    }
    #expect(source.renamings.count > 100)
    #expect(Set(source.renamings).count == source.renamings.count)
  }

  @Test("an empty data file gives an empty name space")
  func empty() throws {
    let source = try SwiftGenerator().source(for: DataFile())
    #expect(source.flagCount == 0)
    #expect(source.text.contains("static let keys: [String] = [\n  ]"))
  }
}
