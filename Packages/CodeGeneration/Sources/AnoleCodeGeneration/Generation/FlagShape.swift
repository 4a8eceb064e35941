// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// What is written of a flag: names and types, decided.
struct FlagShape: Sendable {
  struct Variation: Sendable {
    let key: String
    let name: String
    /// The name for people.
    let title: String
    /// Whether Swift takes the key for another one that comes before it.
    let needsExactComparison: Bool
  }

  struct Variable: Sendable {
    let key: String
    let name: String
    let type: VariableType
    /// Whether some variation has no value of it.
    let isOptional: Bool
    /// The declared type.
    let declaredType: String
    /// The keys of the variations that have a value of it.
    let variationKeys: [String]

    var swiftType: String { type.name + (isOptional ? "?" : "") }
  }

  let key: String
  let name: String
  let typeName: String
  let variations: [Variation]
  let variables: [Variable]
  let defaultVariationKey: String
  private let source: [FlagVariation]

  /// Names the parts of a flag.
  ///
  /// - Parameter renamings: Receives the parts whose names are not simply their keys.
  init(_ flag: FeatureFlag, name: String, renamings: inout [Renaming]) {
    key = flag.key
    self.name = name
    typeName = SwiftName.withCapital(name)
    defaultVariationKey = flag.defaultVariationKey
    // Of two variations with one key the first counts.
    var keys: Set<ExactText> = []
    source = flag.variations.filter { keys.insert(ExactText($0.key)).inserted }

    var namer = Namer(.variation, of: flag.key, reserved: Self.reservedCases)
    var looksLike: Set<String> = []
    variations = source.map { variation in
      Variation(
        key: variation.key, name: namer.name(of: variation.key), title: variation.name,
        needsExactComparison: !looksLike.insert(variation.key).inserted)
    }
    renamings += namer.renamings
    let hasDefault = source.contains { $0.key.isSame(as: flag.defaultVariationKey) }
    variables = Self.variables(of: source, flag.key, hasDefault, &renamings)
  }

  /// The variation with a key; nil if the flag has none.
  func variation(_ key: String) -> Variation? { variations.first { $0.key.isSame(as: key) } }

  /// A variable's value in a variation as Swift source; nil where there is none.
  func literal(_ variable: Variable, in variationKey: String) -> String? {
    source.first { $0.key.isSame(as: variationKey) }
      .flatMap { $0.value(of: variable.key) }.flatMap { variable.type.literal($0) }
  }

  private static func variables(
    of variations: [FlagVariation], _ flagKey: String, _ hasDefault: Bool,
    _ renamings: inout [Renaming]
  ) -> [Variable] {
    var namer = Namer(.variable, of: flagKey, reserved: reservedProperties)
    var order: [String] = []
    var occurrences: [ExactText: [AnoleModels.Variable]] = [:]
    for variable in variations.flatMap(\.variables) {
      let key = ExactText(variable.key)
      if occurrences[key] == nil { order.append(variable.key) }
      occurrences[key, default: []].append(variable)
    }
    let variables = order.map { key in
      let all = occurrences[ExactText(key)] ?? []
      let owners = variations.filter { ($0.value(of: key) ?? .null) != .null }.map(\.key)
      return Variable(
        key: key, name: namer.name(of: key), type: VariableType(of: all),
        isOptional: !hasDefault || owners.count < variations.count,
        declaredType: all.first?.type ?? "", variationKeys: owners)
    }
    renamings += namer.renamings
    return variables
  }

  private static let reservedCases: Set = [
    "key", "other", "none", "some", "hash", "hashValue", "description",
  ]
  private static let reservedProperties: Set = [
    "key", "variation", "isActive", "fallback", "switchedOff", "hash", "hashValue", "description",
    "changes",
  ]
}

extension FlagVariation {
  /// The value of a variable; of two with one key the last counts.
  fileprivate func value(of key: String) -> VariableValue? {
    variables.last { $0.key.isSame(as: key) }?.value
  }
}

extension String {
  /// Whether both are the same bytes; `==` takes a composed and a decomposed é as one.
  func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
