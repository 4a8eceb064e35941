// SPDX-License-Identifier: Apache-2.0

extension SourceWriter {
  /// Adds the type of a flag.
  mutating func write(_ shape: FlagShape) {
    gap()
    line(0, "nonisolated extension \(name) {")
    line(1, "/// The flag `\(SwiftLiteral.comment(shape.key))`.")
    line(1, "nonisolated \(access)struct \(shape.typeName): Flag {")
    line(2, "/// The flag's key.")
    line(2, "\(access)static let key = \(SwiftLiteral.string(shape.key))")
    gap()
    writeVariations(shape)
    gap()
    line(2, "/// The variation.")
    line(2, "\(access)let variation: Variation")
    for variable in shape.variables { writeProperty(variable, of: shape) }
    gap()
    writeInitializers(shape)
    gap()
    writeFallback(shape)
    line(1, "}")
    line(0, "}")
  }

  private mutating func writeVariations(_ shape: FlagShape) {
    line(2, "/// The variations of the flag `\(SwiftLiteral.comment(shape.key))`.")
    line(2, "nonisolated \(access)enum Variation: FlagVariation {")
    for variation in shape.variations {
      let title = SwiftLiteral.comment(variation.title)
      let remark = title.isEmpty ? "" : ", for people `\(title)`"
      line(3, "/// `\(SwiftLiteral.comment(variation.key))`\(remark).")
      line(3, "case \(SwiftName.declared(variation.name))")
    }
    line(3, "/// A variation that was published after this code was generated.")
    line(3, "case other(String)")
    gap()
    line(3, "/// The variation with a key.")
    line(3, "\(access)init(key: String) {")
    if shape.variations.isEmpty {
      line(4, "self = .other(key)")
    } else {
      line(4, "switch key {")
      for variation in shape.variations.reversed() where variation.needsExactComparison {
        writeExactCase(variation)
      }
      for variation in shape.variations where !variation.needsExactComparison {
        line(
          4, "case \(SwiftLiteral.string(variation.key)): self = .\(caseName(variation))")
      }
      line(4, "default: self = .other(key)")
      line(4, "}")
    }
    line(3, "}")
    gap()
    line(3, "/// The variation's key.")
    line(3, "\(access)var key: String {")
    line(4, "switch self {")
    for variation in shape.variations {
      line(4, "case .\(caseName(variation)): return \(SwiftLiteral.string(variation.key))")
    }
    line(4, "case .other(let key): return key")
    line(4, "}")
    line(3, "}")
    line(2, "}")
  }

  /// Swift compares texts by their characters, the platform by their bytes.
  private mutating func writeExactCase(_ variation: FlagShape.Variation) {
    let literal = SwiftLiteral.string(variation.key)
    line(
      4,
      "case _ where key.utf8.elementsEqual(\(literal).utf8): self = .\(caseName(variation))")
  }

  private mutating func writeProperty(_ variable: FlagShape.Variable, of shape: FlagShape) {
    let declared = SwiftLiteral.comment(variable.declaredType, limit: 20)
    let type = declared.isEmpty ? "" : " (`\(declared)`)"
    var sentence = "The variable `\(SwiftLiteral.comment(variable.key))`\(type), "
    sentence += variable.type.words
    if variable.isOptional {
      let owners = variable.variationKeys.prefix(4).map { "`\(SwiftLiteral.comment($0))`" }
      let rest = variable.variationKeys.count > 4 ? ", …" : ""
      sentence +=
        owners.isEmpty
        ? "; no variation has a value" : "; of \(owners.joined(separator: ", "))\(rest)"
    }
    line(2, "/// \(sentence).")
    line(2, "\(access)let \(SwiftName.declared(variable.name)): \(variable.swiftType)")
  }

  private mutating func writeInitializers(_ shape: FlagShape) {
    line(2, "/// Makes a value, with the variables of the default variation where none are given.")
    line(2, "\(access)init(")
    line(3, "variation: Variation" + (shape.variables.isEmpty ? "" : ","))
    for (position, variable) in shape.variables.enumerated() {
      let value = shape.literal(variable, in: shape.defaultVariationKey) ?? "nil"
      let comma = position == shape.variables.count - 1 ? "" : ","
      line(3, "\(SwiftName.declared(variable.name)): \(variable.swiftType) = \(value)\(comma)")
    }
    line(2, ") {")
    line(3, "self.variation = variation")
    for variable in shape.variables {
      let name = SwiftName.declared(variable.name)
      line(3, "self.\(name) = \(name)")
    }
    line(2, "}")
    gap()
    line(2, "/// Takes what a client serves.")
    line(2, "\(access)init(_ served: Served) {")
    line(3, "self.variation = Variation(key: served.key)")
    for variable in shape.variables {
      let name = SwiftName.declared(variable.name)
      let fallback = variable.isOptional ? "" : " ?? Self.fallback.\(name)"
      line(
        3,
        "self.\(name) = served.\(variable.type.reader)(\(SwiftLiteral.string(variable.key)))"
          + fallback)
    }
    line(2, "}")
  }

  private mutating func writeFallback(_ shape: FlagShape) {
    let key = shape.defaultVariationKey
    let fallback =
      shape.variation(key).map { ".\(caseName($0))" } ?? ".other(\(SwiftLiteral.string(key)))"
    line(2, "/// The default variation, as the data file had it.")
    line(2, "\(access)static let fallback = Self(variation: \(fallback))")
    guard key != "off" else { return }
    gap()
    line(
      2, "/// What counts while the flag is switched off in the environment: `off`, never another.")
    line(2, "\(access)static let switchedOff = Self(")
    let off = shape.variation("off")
    var arguments = ["variation: " + (off.map { ".\(caseName($0))" } ?? ".other(\"off\")")]
    for variable in shape.variables {
      // Without a value of its own, one that must be there keeps the default variation's.
      let own = off.flatMap { _ in shape.literal(variable, in: "off") }
      guard let value = own ?? (variable.isOptional ? "nil" : nil) else { continue }
      arguments.append("\(SwiftName.label(variable.name)): \(value)")
    }
    for (position, argument) in arguments.enumerated() {
      line(3, argument + (position == arguments.count - 1 ? ")" : ","))
    }
  }

  private func caseName(_ variation: FlagShape.Variation) -> String {
    SwiftName.declared(variation.name)
  }
}
