// SPDX-License-Identifier: Apache-2.0

/// Finds what refers to flags in a list of tokens.
struct ReferenceFinder {
  /// Functions of the client that take a flag's key under the label `featureKey`.
  private static let functions: Set = [
    "getVariation", "isFeatureActive", "decision", "getFeatureVariationKey", "getFeatureVariable",
    "getFeatureVariationVariables",
  ]
  /// Members whose values are dictionaries by flag key.
  private static let dictionaries: Set = [
    "featureFlags", "getVariations", "getActiveFeatures",
  ]
  /// Functions of a variation that read a variable.
  private static let readers: Set = ["bool", "int", "double", "string", "decode"]

  /// So many tokens are looked at to either side: more than any call has, and a broken file ends the
  /// search.
  private static let reach = 200

  /// A local name that holds a variation.
  private struct Binding {
    let flag: FlagReference.Flag
    /// The number of open braces below which it ends.
    let depth: Int
  }

  private let tokens: [Token]
  private(set) var references: [FlagReference] = []
  private var bindings: [String: Binding] = [:]
  /// Their names in the order in which they began; those of inner braces stand last.
  private var begun: [(name: String, depth: Int)] = []
  private var depth = 0

  /// Looks through all tokens.
  init(_ tokens: [Token]) {
    self.tokens = tokens
    for index in tokens.indices { look(at: index) }
  }

  private mutating func look(at index: Int) {
    let token = tokens[index]
    if token.isSign("{") { depth += 1 }
    if token.isSign("}") {
      depth -= 1
      endBindings()
    }
    guard let word = token.word else { return }
    forget(word, at: index)
    if word == "featureKey", sign(index + 1, ":") {
      readLabel(at: index)
    } else if word == "changes", sign(index + 1, "("), self.word(index + 2) == "of",
      sign(index + 3, ":")
    {
      readChanges(at: index)
    } else if Self.dictionaries.contains(word) {
      readDictionary(at: index)
    } else if let binding = bindings[word], !sign(index - 1, ".") {
      readVariable(of: binding.flag, behind: index + 1)
    }
    readGeneratedNames(at: index)
  }

  // MARK: - Calls

  /// `f(featureKey: KEY, …)`.
  private mutating func readLabel(at index: Int) {
    guard let open = openingParenthesis(before: index), let name = word(open - 1),
      word(open - 2) != "func", name != "init" || sign(open - 2, ".")
    else { return }
    let isOurs = Self.functions.contains(name)
    let flag = flag(at: index + 2)
    if !isOurs {
      // A function of the application that takes a key: what is not plain may be anything.
      guard case .key = flag else { return }
    }
    var reference = FlagReference(
      flag: flag, call: "\(name)(featureKey:)", offset: offset(index + 2))
    reference.isCertain = isOurs
    references.append(reference)
    guard isOurs, let close = closing(open) else { return }
    if name == "getFeatureVariable" { readVariableKey(of: flag, open, close) }
    guard name == "getVariation" || name == "decision" else { return }
    let value =
      name == "decision" && sign(close + 1, ".") && word(close + 2) == "variation"
      ? close + 3 : close + 1
    if !readVariable(of: flag, behind: value), name == "getVariation" || value > close + 1 {
      bind(flag, callAt: open - 1)
    }
  }

  /// `variableKey: KEY` among the arguments.
  private mutating func readVariableKey(of flag: FlagReference.Flag, _ open: Int, _ close: Int) {
    for index in open..<close where word(index) == "variableKey" && sign(index + 1, ":") {
      guard let key = literal(index + 2) else { continue }
      references.append(
        FlagReference(
          flag: flag, variableKey: key, call: "getFeatureVariable(featureKey:variableKey:)",
          offset: offset(index + 2)))
    }
  }

  /// `changes(of: KEY)`; others have functions of that name, too.
  private mutating func readChanges(at index: Int) {
    let flag = flag(at: index + 4)
    if flag == .expression { return }
    var reference = FlagReference(flag: flag, call: "changes(of:)", offset: offset(index + 4))
    reference.isCertain = false
    references.append(reference)
  }

  /// `featureFlags[KEY]`, `getVariations(…)[KEY]`.
  private mutating func readDictionary(at index: Int) {
    var next = index + 1
    if sign(next, "("), let close = closing(next) { next = close + 1 }
    while sign(next, "?") || sign(next, "!") { next += 1 }
    guard sign(next, "["), let name = word(index) else { return }
    let flag = flag(at: next + 1)
    references.append(FlagReference(flag: flag, call: "\(name)[]", offset: offset(next + 1)))
    guard let close = closing(next), name != "featureFlags" else { return }
    readVariable(of: flag, behind: close + 1)
  }

  /// `.bool(KEY…`, `.variables[KEY]` behind a variation.
  ///
  /// - Returns: Whether the expression goes on with a member.
  @discardableResult
  private mutating func readVariable(of flag: FlagReference.Flag, behind index: Int) -> Bool {
    var index = index
    while sign(index, "?") || sign(index, "!") { index += 1 }
    guard sign(index, "."), let member = word(index + 1) else { return false }
    let isReader = Self.readers.contains(member) && sign(index + 2, "(")
    let isList = member == "variables" && sign(index + 2, "[")
    guard isReader || isList, let key = literal(index + 3) else { return true }
    references.append(
      FlagReference(
        flag: flag, variableKey: key, call: isList ? "variables[]" : "\(member)(_:)",
        offset: offset(index + 3)))
    return true
  }

  // MARK: - Generated names

  /// `Flags.Checkout`, `flags.checkout(`.
  private mutating func readGeneratedNames(at index: Int) {
    guard let namespace = word(index), sign(index + 1, "."), let name = word(index + 2) else {
      return
    }
    let isType = name.first?.isLetter == true && name.first?.isLowercase == false
    if namespace.first?.isUppercase == true, isType {
      references.append(
        FlagReference(
          flag: .type(namespace: namespace, name: name), call: "\(namespace).\(name)",
          offset: offset(index + 2), isCertain: false))
    }
    guard sign(index + 3, "(") else { return }
    references.append(
      FlagReference(
        flag: .method(property: namespace, name: name), call: "\(namespace).\(name)()",
        offset: offset(index + 2), isCertain: false))
  }

  // MARK: - Local names

  /// `let NAME = try client.getVariation(…)`, also with `var`, `try?`, a type, `if` and `guard`.
  private mutating func bind(_ flag: FlagReference.Flag, callAt call: Int) {
    var index = call - 1
    // `client.` or `self.client?.`, not the end of a statement before.
    while index > call - Self.reach, isPartOfPath(index),
      ["try", "await"].contains(word(index)) || word(index) == nil || !isWordBefore(index)
    {
      index -= 1
    }
    guard sign(index, "=") else { return }
    index -= 1
    // A type behind the name.
    var start = index
    while start > index - Self.reach, isPartOfPath(start) { start -= 1 }
    if sign(start, ":") { index = start - 1 }
    guard let name = word(index), word(index - 1) == "let" || word(index - 1) == "var" else {
      return
    }
    let isCondition =
      ["if", "while"].contains(word(index - 2) ?? "")
      || (sign(index - 2, ",") && !isGuarded(index))
    let depth = depth + (isCondition ? 1 : 0)
    bindings[name] = Binding(flag: flag, depth: depth)
    begun.append((name, depth))
  }

  /// Ends the names of braces that were closed.
  private mutating func endBindings() {
    while let last = begun.last, last.depth > depth {
      begun.removeLast()
      if bindings[last.name]?.depth == last.depth { bindings[last.name] = nil }
    }
  }

  private func isWordBefore(_ index: Int) -> Bool { word(index + 1) != nil }

  private func isPartOfPath(_ index: Int) -> Bool {
    if let word = word(index) { return word != "let" && word != "var" }
    return sign(index, ".") || sign(index, "?") || sign(index, "!")
  }

  /// Whether the condition that a name is part of belongs to `guard`.
  private func isGuarded(_ index: Int) -> Bool {
    let first = max(0, index - Self.reach)
    var index = index
    while index >= first, !sign(index, "{"), !sign(index, "}"), !sign(index, ";") {
      if word(index) == "guard" { return true }
      if word(index) == "if" || word(index) == "while" { return false }
      index -= 1
    }
    return false
  }

  /// Ends a local name where another thing gets it: a declaration, a parameter, a closure's argument.
  private mutating func forget(_ name: String, at index: Int) {
    guard bindings[name] != nil, !sign(index - 1, ".") else { return }
    let before = word(index - 1)
    let isDeclared = ["let", "var", "for", "func", "case"].contains(before ?? "")
    let isParameter = sign(index + 1, ":") || word(index + 1) == "in"
    if isDeclared || isParameter { bindings[name] = nil }
  }

  // MARK: - Expressions

  /// What names a flag, from a token to the end of the argument.
  private func flag(at index: Int) -> FlagReference.Flag {
    guard index < tokens.count else { return .expression }
    if let key = literal(index) { return .key(key) }
    var path: [String] = []
    var index = index
    while let word = word(index) {
      path.append(word)
      guard sign(index + 1, ".") else { break }
      index += 2
    }
    guard !path.isEmpty, endsArgument(index + 1) else { return .expression }
    return .constant(path.first == "self" ? Array(path.dropFirst()) : path)
  }

  /// The value of a string that is all of an argument.
  private func literal(_ index: Int) -> String? {
    guard tokens.indices.contains(index), let text = tokens[index].text else { return nil }
    return endsArgument(index + 1) ? text : nil
  }

  private func endsArgument(_ index: Int) -> Bool {
    sign(index, ",") || sign(index, ")") || sign(index, "]")
  }

  private func openingParenthesis(before index: Int) -> Int? {
    var level = 0
    let first = max(0, index - Self.reach)
    var index = index - 1
    while index >= first {
      if sign(index, ")") || sign(index, "]") { level += 1 }
      if sign(index, "(") || sign(index, "[") {
        if level == 0 { return sign(index, "(") ? index : nil }
        level -= 1
      }
      if sign(index, "{") || sign(index, "}") { if level == 0 { return nil } }
      index -= 1
    }
    return nil
  }

  /// The bracket that ends what one begins.
  private func closing(_ open: Int) -> Int? {
    var level = 0
    for index in open..<min(tokens.count, open + Self.reach) {
      if sign(index, "(") || sign(index, "[") { level += 1 }
      if sign(index, ")") || sign(index, "]") {
        level -= 1
        if level == 0 { return index }
      }
    }
    return nil
  }

  private func word(_ index: Int) -> String? {
    tokens.indices.contains(index) ? tokens[index].word : nil
  }

  private func sign(_ index: Int, _ character: Unicode.Scalar) -> Bool {
    tokens.indices.contains(index) && tokens[index].isSign(character)
  }

  private func offset(_ index: Int) -> Int {
    tokens.indices.contains(index) ? tokens[index].offset : (tokens.last?.offset ?? 0)
  }
}
