// SPDX-License-Identifier: Apache-2.0

import AnoleCodeGeneration
import AnoleModels
import Foundation
import Testing

/// A data file, what is generated from it, and checks that what it says is read.
struct GeneratedCode {
  let name: String
  let dataFile: DataFile
  let generator: SwiftGenerator
  let text: String

  /// Generates code for a data file.
  ///
  /// - Parameter namespace: The name of the enum; nil for one by the name of the file.
  init(_ file: URL, namespace: String? = nil) throws {
    name = file.deletingPathExtension().lastPathComponent
    dataFile = try DataFile(parsing: [UInt8](try Data(contentsOf: file)))
    let words = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
    generator = try SwiftGenerator(
      name: namespace ?? words.joined() + "Flags", access: .public)
    text = generator.source(for: dataFile).text
  }

  /// The function that checks the file's flags: their keys and all variations, by the names that words
  /// in camel case give.
  var checks: String {
    var lines = [
      "func check\(generator.name)(_ checks: Checks, folder: String) async throws {",
      "  let text = try String(contentsOfFile: folder + \"/\(name).json\", encoding: .utf8)",
      "  let stage = try await Stage(text, siteCode: \"\(name)\")",
    ]
    let keys = dataFile.featureFlags.map { Self.bytes($0.key) }.joined(separator: ", ")
    lines += [
      "  let keys: [[UInt8]] = [\(keys)]",
      "  checks.place = \"\(name)\"",
      "  checks.same(\(generator.name).keys.map { Array($0.utf8) }, "
        + "keys.sorted { $0.lexicographicallyPrecedes($1) }, \"keys\")",
    ]
    for index in dataFile.featureFlags.indices {
      lines.append("  check\(generator.name)\(index)(checks, stage)")
    }
    lines.append("}")
    for (index, flag) in dataFile.featureFlags.enumerated() {
      lines += [
        "", "private func check\(generator.name)\(index)(_ checks: Checks, _ stage: Stage) {",
      ]
      lines += checks(of: flag).map { "  " + $0 }
      lines.append("}")
    }
    return lines.joined(separator: "\n")
  }

  private func checks(of flag: FeatureFlag) -> [String] {
    let method = Self.camel(flag.key)
    let type = "\(generator.name).\(method.prefix(1).uppercased())\(method.dropFirst())"
    let read = "client.\(generator.property).\(method)()"
    let all = Set(flag.variations.flatMap { $0.variables.map(\.key) }).sorted()
    var lines = ["checks.place = \"\(name), \(flag.key)\"", "var value = \(type).fallback"]
    lines.append("checks.bytes(\(type).key, \(Self.bytes(flag.key)), \"key\")")
    lines += values(of: flag, flag.defaultVariationKey, all)
    for variation in flag.variations {
      lines.append(
        "value = stage.client(\"\(flag.key)\", serving: \"\(variation.key)\")"
          + ".\(generator.property).\(method)()")
      lines.append("checks.same(value.variation, .\(Self.camel(variation.key)), \"variation\")")
      lines += values(of: flag, variation.key, all)
    }
    lines.append("var client = InMemoryClient()")
    lines.append("checks.same(\(read), \(type).fallback, \"without the flag\")")
    lines.append("client = stage.clientSwitchedOff(\"\(flag.key)\")")
    lines.append("value = \(read)")
    lines += values(of: flag, "off", all)
    lines.append("client = stage.clientServingNew(\"\(flag.key)\")")
    lines.append("checks.same(\(read).variation, .other(\"brand_new\"), \"a new variation\")")
    return lines
  }

  /// Checks of `value`, which is to be a variation.
  private func values(of flag: FeatureFlag, _ key: String, _ variables: [String]) -> [String] {
    guard let variation = flag.variations.first(where: { $0.key == key }) else { return [] }
    var lines = [
      "checks.same(value.variation.key, \"\(key)\", \"key\")",
      "checks.same(value.isActive, \(key != "off"), \"isActive\")",
    ]
    for name in variables {
      let variable = variation.variables.last { $0.key == name }
      var property = "value.\(Self.camel(name))"
      guard let variable, variable.value != .null else {
        lines.append("checks.missing(\(property), \"\(name)\")")
        continue
      }
      if variable.type == "JSON" { property = "(\(property) as \(generator.name).JSON?)?.text" }
      lines.append("checks.same(\(property)\(Self.expectation(variable)), \"\(name)\")")
    }
    return lines
  }

  /// What follows the property, in a form that fits only the type that the property must have.
  private static func expectation(_ variable: Variable) -> String {
    if variable.type == "JSON" {
      return ", String(decoding: \(bytes(variable.value.jsonValue.text())), as: UTF8.self)"
    }
    switch variable.value {
    case .bool(let value): return ", \(value)"
    case .int(let value): return ", number: \(value)"
    case .double(let value): return ", number: Double(bitPattern: \(value.bitPattern))"
    case .string(let text): return ", String(decoding: \(bytes(text)), as: UTF8.self)"
    case .json, .null: return ", nil"
    }
  }

  static func bytes(_ text: String) -> String {
    "[\(text.utf8.map { String($0) }.joined(separator: ", "))] as [UInt8]"
  }

  private static func camel(_ key: String) -> String {
    let words = key.split(separator: "_")
    return words.prefix(1).joined()
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// Checks by the names that the generator gives, for keys whose names nobody could guess: each type
  /// has its key, and each variation of the file is a case that keeps its key.
  var keyChecks: String {
    var lines = ["func check\(generator.name)Keys(_ checks: Checks) {"]
    let flags = Dictionary(dataFile.featureFlags.map { (ExactText($0.key), $0) }) { $1 }
    for (index, method) in FlagNames(dataFile, namespace: generator.name).methods.enumerated() {
      let type = "\(generator.name).\(method.name.prefix(1).uppercased())\(method.name.dropFirst())"
      lines.append("  checks.place = \"\(name), flag \(index)\"")
      lines.append("  checks.bytes(\(type).key, \(Self.bytes(method.key)), \"key\")")
      lines.append("  checks.bytes(\(type).fallback.variation.key, ")
      lines.append("    \(Self.bytes(flags[ExactText(method.key)]?.defaultVariationKey ?? "")), ")
      lines.append("    \"default\")")
      for variation in flags[ExactText(method.key)]?.variations ?? [] {
        let key = Self.bytes(variation.key)
        lines.append("  checkVariation(\(type).Variation.self, \(key), checks)")
      }
    }
    lines.append("}")
    return lines.joined(separator: "\n")
  }
}
