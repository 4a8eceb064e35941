// SPDX-License-Identifier: Apache-2.0

/// Finds texts with names: `static let checkout = "checkout"`, cases of an enum of strings, and
/// constants of a file.
struct ConstantFinder {
  private struct Scope {
    var owner: String?
    var isStringEnum = false
  }

  private let tokens: [Token]
  private(set) var constants: [FlagConstant] = []
  /// How often a name is declared in the file, as whatever.
  private(set) var declarations: [String: Int] = [:]
  private var scopes: [Scope] = []
  private var next = Scope()

  /// Looks through all tokens of a file.
  init(_ tokens: [Token]) {
    self.tokens = tokens
    for index in tokens.indices { look(at: index) }
  }

  private mutating func look(at index: Int) {
    if sign(index, "{") {
      scopes.append(next)
      next = Scope()
    } else if sign(index, "}") {
      _ = scopes.popLast()
      next = Scope()
    }
    guard let word = word(index) else { return }
    switch word {
    case "enum", "struct", "class", "actor", "extension": beginType(at: index)
    case "let", "var": readConstant(at: index)
    case "case": readCases(at: index)
    default:
      // A parameter or a label.
      if sign(index + 1, ":"), !isDeclared(index) { declarations[word, default: 0] += 1 }
    }
  }

  private func isDeclared(_ index: Int) -> Bool {
    ["let", "var"].contains(word(index - 1) ?? "")
  }

  private mutating func beginType(at index: Int) {
    // `class func` and `.extension` begin no type.
    guard !sign(index - 1, "."), var name = word(index + 1), name != "func", name != "var" else {
      return
    }
    var last = index + 1
    while sign(last + 1, "."), let part = word(last + 2) {
      name = part
      last += 2
    }
    let isStringEnum = word(index) == "enum" && sign(last + 1, ":") && word(last + 2) == "String"
    next = Scope(owner: name, isStringEnum: isStringEnum)
  }

  private mutating func readConstant(at index: Int) {
    guard let name = word(index + 1) else { return }
    declarations[name, default: 0] += 1
    let isStatic = (max(0, index - 3)..<index).contains { word($0) == "static" }
    guard word(index) == "let", isStatic || scopes.isEmpty else { return }
    var value = index + 2
    if sign(value, ":") { value += 2 }
    guard sign(value, "="), tokens.indices.contains(value + 1), let text = tokens[value + 1].text,
      !continues(value + 2)
    else { return }
    constants.append(
      FlagConstant(owner: scopes.last?.owner, name: name, text: text, isCase: false))
  }

  /// `case checkout, search = "search_v2"` in an enum of strings.
  private mutating func readCases(at index: Int) {
    guard let scope = scopes.last, scope.isStringEnum, let owner = scope.owner else { return }
    var index = index + 1
    while let name = word(index), name != "case" {
      var text = name
      index += 1
      if sign(index, "="), tokens.indices.contains(index + 1) {
        guard let value = tokens[index + 1].text else { return }
        text = value
        index += 2
      }
      constants.append(FlagConstant(owner: owner, name: name, text: text, isCase: true))
      guard sign(index, ",") else { return }
      index += 1
    }
  }

  /// Whether the value is only the beginning of an expression.
  private func continues(_ index: Int) -> Bool {
    [".", "+", "?", "["].contains { sign(index, $0) }
  }

  private func word(_ index: Int) -> String? {
    tokens.indices.contains(index) ? tokens[index].word : nil
  }

  private func sign(_ index: Int, _ character: Unicode.Scalar) -> Bool {
    tokens.indices.contains(index) && tokens[index].isSign(character)
  }
}
