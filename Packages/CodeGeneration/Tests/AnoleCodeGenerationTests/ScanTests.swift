// SPDX-License-Identifier: Apache-2.0

import AnoleCodeGeneration
import AnoleModels
import Testing

struct ScanCase: Sendable, CustomTestStringConvertible {
  let source: String
  /// `line:column call key.variable verdict` of each use.
  let uses: [String]
  init(_ source: String, _ uses: String...) { (self.source, self.uses) = (source, uses) }
  var testDescription: String { source.debugDescription }
}

private let callCases: [ScanCase] = [
  ScanCase(
    #"try client.getVariation(featureKey: "checkout")"#,
    "1:37 getVariation(featureKey:) checkout known"),
  ScanCase(
    #"try client.isFeatureActive(featureKey: "checkuot", track: false)"#,
    "1:40 isFeatureActive(featureKey:) checkuot unknownFlag"),
  ScanCase(
    "client\n  .decision(\n    featureKey: \"free_gift\"\n  )",
    "3:17 decision(featureKey:) free_gift known"),
  ScanCase(
    #"client.getFeatureVariable(featureKey: "checkout", variableKey: "steps")"#,
    "1:39 getFeatureVariable(featureKey:) checkout known",
    "1:64 getFeatureVariable(featureKey:variableKey:) checkout.steps known"),
  ScanCase(
    #"client.getFeatureVariable(featureKey: "checkout", variableKey: "stepps")"#,
    "1:39 getFeatureVariable(featureKey:) checkout known",
    "1:64 getFeatureVariable(featureKey:variableKey:) checkout.stepps unknownVariable"),
  ScanCase(
    #"client.getFeatureVariationVariables(featureKey: "gone", variationKey: "on")"#,
    "1:49 getFeatureVariationVariables(featureKey:) gone unknownFlag"),
  ScanCase(
    #"for await v in client.changes(of: "free_gift") {}"#,
    "1:35 changes(of:) free_gift known"),
  ScanCase("store.changes(of: record)"),
  ScanCase(
    #"try client.getVariations(onlyActive: true)["checkout"]?.bool("nope", default: false)"#,
    "1:44 getVariations[] checkout known", "1:62 bool(_:) checkout.nope unknownVariable"),
  ScanCase(
    #"try client.getDataFile().featureFlags["gone"]?.rules"#,
    "1:39 featureFlags[] gone unknownFlag"),
  ScanCase(
    #"isOn(featureKey: "gone")"#, "1:18 isOn(featureKey:) gone unknownFlag"),
  ScanCase("isOn(featureKey: key)"),
  ScanCase("func getVariation(featureKey: String) {}"),
  ScanCase(
    "client.getVariation(featureKey: key)",
    "1:33 getVariation(featureKey:) ? cannotBeTold"),
  ScanCase(
    #"client.getVariation(featureKey: "a\(key)")"#,
    "1:33 getVariation(featureKey:) ? cannotBeTold"),
  ScanCase(
    #"client.getVariation(featureKey: isNew ? "checkout" : "gone")"#,
    "1:33 getVariation(featureKey:) ? cannotBeTold"),
  ScanCase(
    #"client.getVariation(featureKey: "check" + "out")"#,
    "1:33 getVariation(featureKey:) ? cannotBeTold"),
  ScanCase(#"// client.getVariation(featureKey: "gone")"#),
  ScanCase(#"/* client.getVariation(featureKey: "gone") */"#),
  ScanCase(#"let text = "getVariation(featureKey: \"gone\")""#),
  ScanCase(
    #"print("got \(try client.isFeatureActive(featureKey: "gone"))")"#,
    "1:53 isFeatureActive(featureKey:) gone unknownFlag"),
  ScanCase(
    ##"client.isFeatureActive(featureKey: #"checkout"#)"##,
    "1:36 isFeatureActive(featureKey:) checkout known"),
  ScanCase(
    "client.isFeatureActive(featureKey: \"\"\"\n  checkout\n  \"\"\")",
    "1:36 isFeatureActive(featureKey:) checkout known"),
]

private let variableCases: [ScanCase] = [
  ScanCase(
    #"try client.getVariation(featureKey: "checkout").string("title", default: "")"#,
    "1:37 getVariation(featureKey:) checkout known", "1:56 string(_:) checkout.title known"),
  ScanCase(
    #"_ = try client.decision(featureKey: "checkout").variation.variables["nope"]"#,
    "1:37 decision(featureKey:) checkout known",
    "1:69 variables[] checkout.nope unknownVariable"),
  ScanCase(
    "let v = try client.getVariation(featureKey: \"checkout\")\nv.int(\"nope\", default: 1)",
    "1:45 getVariation(featureKey:) checkout known",
    "2:7 int(_:) checkout.nope unknownVariable"),
  ScanCase(
    "let v: Types.Variation? = try? client.getVariation(featureKey: \"checkout\")\nv?.int(\"nope\")",
    "1:64 getVariation(featureKey:) checkout known",
    "2:8 int(_:) checkout.nope unknownVariable"),
  ScanCase(
    "if let v = try? c.getVariation(featureKey: \"checkout\") { v.int(\"nope\") }\nv.int(\"x\")",
    "1:44 getVariation(featureKey:) checkout known",
    "1:64 int(_:) checkout.nope unknownVariable"),
  ScanCase(
    "guard let v = try? c.getVariation(featureKey: \"checkout\") else { return }\nv.int(\"nope\")",
    "1:47 getVariation(featureKey:) checkout known",
    "2:7 int(_:) checkout.nope unknownVariable"),
  ScanCase(
    "f { let v = try c.getVariation(featureKey: \"checkout\") }\nv.int(\"nope\")",
    "1:44 getVariation(featureKey:) checkout known"),
  ScanCase(
    "let v = try c.getVariation(featureKey: \"checkout\")\nlet v = other()\nv.int(\"nope\")",
    "1:40 getVariation(featureKey:) checkout known"),
  ScanCase(
    "let v = try c.getVariation(featureKey: \"checkout\")\nf { v in v.int(\"nope\") }",
    "1:40 getVariation(featureKey:) checkout known"),
  ScanCase(
    "let v = try c.getVariation(featureKey: \"checkout\")\na.v.int(\"nope\")",
    "1:40 getVariation(featureKey:) checkout known"),
  ScanCase(
    "let key = try c.getVariation(featureKey: \"checkout\").key\nkey.string(\"nope\")",
    "1:42 getVariation(featureKey:) checkout known"),
  ScanCase(
    "let x = y\nc.getVariation(featureKey: \"checkout\")\nx.int(\"nope\")",
    "2:28 getVariation(featureKey:) checkout known"),
]

private let constantCases: [ScanCase] = [
  ScanCase(
    "enum Keys { static let pay = \"checkout\" }\nc.getVariation(featureKey: Keys.pay)",
    "2:28 getVariation(featureKey:) checkout known"),
  ScanCase(
    "extension App.Keys { static let pay: String = \"gone\" }\nc.isFeatureActive(featureKey: Keys.pay)",
    "2:31 isFeatureActive(featureKey:) gone unknownFlag"),
  ScanCase(
    "enum Key: String { case checkout, gift = \"gone\" }\nc.isFeatureActive(featureKey: Key.gift.rawValue)",
    "2:31 isFeatureActive(featureKey:) gone unknownFlag"),
  ScanCase(
    "enum Key: String { case checkout }\nc.isFeatureActive(featureKey: Key.checkout.rawValue)",
    "2:31 isFeatureActive(featureKey:) checkout known"),
  ScanCase(
    "private let pay = \"checkout\"\nc.getVariation(featureKey: pay)",
    "2:28 getVariation(featureKey:) checkout known"),
  ScanCase(
    "let pay = \"gone\"\nfunc f(pay: String) { c.getVariation(featureKey: pay) }",
    "2:50 getVariation(featureKey:) ? cannotBeTold"),
  ScanCase(
    "func f() { let pay = \"gone\" }\nc.getVariation(featureKey: pay)",
    "2:28 getVariation(featureKey:) ? cannotBeTold"),
  ScanCase(
    "enum Keys { static let pay = \"check\" + \"out\" }\nc.getVariation(featureKey: Keys.pay)",
    "2:28 getVariation(featureKey:) ? cannotBeTold"),
  ScanCase(
    "enum A { static let k = \"a\" }\nextension A { static let k = \"b\" }\nc.getVariation(featureKey: A.k)",
    "3:28 getVariation(featureKey:) ? cannotBeTold"),
]

@Suite("Flags in Swift source")
struct ScanTests {
  private func report(_ files: [(String, String)], _ dataFile: DataFile? = nil) throws -> ScanReport
  {
    var scan = SourceScan(try dataFile ?? Fixture.dataFile("shop.json"))
    for (name, text) in files { scan.add(Array(text.utf8), file: name) }
    return scan.report()
  }

  private func describe(_ use: FlagUse) -> String {
    let variable = use.variableKey.map { ".\($0)" } ?? ""
    return
      "\(use.line):\(use.column) \(use.call) \(use.featureKey ?? "?")\(variable) \(use.verdict)"
  }

  @Test("calls of the client are found with their places", arguments: callCases)
  func calls(_ row: ScanCase) throws {
    #expect(try report([("a.swift", row.source)]).uses.map(describe) == row.uses)
  }

  @Test("variables are told where the variation is", arguments: variableCases)
  func variables(_ row: ScanCase) throws {
    #expect(try report([("a.swift", row.source)]).uses.map(describe) == row.uses)
  }

  @Test("constants are looked up where they can mean one thing alone", arguments: constantCases)
  func constants(_ row: ScanCase) throws {
    #expect(try report([("a.swift", row.source)]).uses.map(describe) == row.uses)
  }

  @Test("a constant counts in other files, too")
  func files() throws {
    let report = try report([
      ("use.swift", "c.getVariation(featureKey: Keys.pay)"),
      ("keys.swift", "enum Keys { static let pay = \"checkout\" }"),
    ])
    #expect(report.uses.map(\.featureKey) == ["checkout"])
    #expect(report.fileCount == 2)
  }

  @Test("names that code generated from the data file would have are known")
  func names() throws {
    let source =
      "let a = client.flags.checkout().steps\nlet b = try Flags.FreeGift(reading: client)"
      + "\nFlags.Reader.self; flags.carry(); Flags.Gone.self"
    let report = try report([("a.swift", source)])
    #expect(
      report.uses.map(describe) == [
        "1:22 flags.checkout() checkout known", "2:19 Flags.FreeGift free_gift known",
      ])
  }

  @Test("a generated file tells the keys behind its names, and uses none itself")
  func generated() throws {
    let older = try SwiftGenerator(name: "ShopFlags").source(
      for: .flags(["checkout", "gone-flag"]))
    let report = try report([
      ("Flags.swift", older.text),
      ("a.swift", "client.shopFlags.goneFlag(); ShopFlags.Checkout.self"),
    ])
    #expect(report.generatedFiles == ["Flags.swift"])
    #expect(report.fileCount == 1)
    #expect(
      report.uses.map(describe) == [
        "1:18 shopFlags.goneFlag() gone-flag unknownFlag",
        "1:40 ShopFlags.Checkout checkout known",
      ])
    #expect(report.unknown.map(\.featureKey) == ["gone-flag"])
  }

  @Test("keys that nothing uses are unused, or mentioned where their text stands")
  func unused() throws {
    let source =
      "// \"old_search\"\nlet all = [\"free_gift\", \"nothing\"]\n"
      + "c.getVariation(featureKey: \"checkout\")"
    let report = try report([("a.swift", source)])
    #expect(report.unused == ["express_delivery", "old_search", "summer_sale"])
    #expect(report.mentioned.map(\.featureKey) == ["free_gift"])
    #expect(report.mentioned.map(\.file) == ["a.swift"])
    #expect(report.mentioned.map(\.line) == [2])
  }

  @Test("the report is in the order of the files and of their lines")
  func order() throws {
    let source =
      "let t = \"\\(c.isFeatureActive(featureKey: \"b\"))\"; c.isFeatureActive(featureKey: \"c\")"
    let report = try report([
      ("z.swift", "c.isFeatureActive(featureKey: \"a\")"), ("a.swift", source),
    ])
    #expect(report.uses.map(\.featureKey) == ["a", "b", "c"])
    #expect(report.uses.map(\.file) == ["z.swift", "a.swift", "a.swift"])
  }

  /// Each of them would take hours if the time grew with the square of the length.
  @Test("a file that repeats itself without end is read to its end", arguments: endless)
  func bounded(_ piece: String) throws {
    let source = String(repeating: piece, count: 600_000 / piece.utf8.count)
    let report = try report([("a.swift", source)])
    #expect(report.fileCount == 1)
    let calls = piece.contains("getVariation(") ? 600_000 / piece.utf8.count : 0
    #expect(report.uses.count >= calls)
  }
}

private let endless = [
  "getVariation(featureKey: ( let x = \"checkout\" ", "#", "#/\n", "(/\\", "`", "\"\\(", "{", "}",
  "(", "/*",
  "enum a: String { case,", "case,", "a.", "?",
  "{ let v = c.getVariation(featureKey: \"checkout\") }",
  "let v = c.getVariation(featureKey: \"checkout\"); {}",
]
