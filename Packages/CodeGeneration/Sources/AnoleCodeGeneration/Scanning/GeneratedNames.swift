// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The names that generated code gives to flags, for looking up the keys behind them.
struct GeneratedNames: Sendable {
  private var keyByType: [String: [String: String]] = [:]
  private var keyByMethod: [String: [String: String]] = [:]

  /// None.
  init() {}

  /// The names that code generated now would have.
  init(_ names: FlagNames, namespace: String) {
    let property = SwiftName.lowerCamel(namespace)
    for (key, name) in names.methods {
      keyByType[namespace, default: [:]][SwiftName.withCapital(name)] = key
      keyByMethod[property, default: [:]][name] = key
    }
  }

  /// Adds the names of a generated file.
  mutating func add(_ other: GeneratedNames) {
    keyByType.merge(other.keyByType) { $0.merging($1) { first, _ in first } }
    keyByMethod.merge(other.keyByMethod) { $0.merging($1) { first, _ in first } }
  }

  var isEmpty: Bool { keyByType.isEmpty }

  /// The key behind a type.
  func key(ofType name: String, in namespace: String) -> String? { keyByType[namespace]?[name] }

  /// The key behind a method.
  func key(ofMethod name: String, on property: String) -> String? { keyByMethod[property]?[name] }
}

extension GeneratedNames {
  /// Whether a file was generated: it mentions every flag, and uses none.
  static func isGenerated(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Array(SourceWriter.mark.utf8))
  }

  /// Reads a generated file, which may be older than the data file.
  init(generated tokens: [Token]) {
    func word(_ index: Int) -> String? {
      tokens.indices.contains(index) ? tokens[index].word : nil
    }
    var namespace = ""
    var type = ""
    var methods: [(name: String, type: String)] = []
    for index in tokens.indices {
      switch word(index) {
      case "enum" where namespace.isEmpty: namespace = word(index + 1) ?? ""
      case "struct": type = word(index + 1) ?? ""
      case "let" where word(index - 1) == "static" && word(index + 1) == "key":
        guard tokens.indices.contains(index + 3), let key = tokens[index + 3].text else { continue }
        keyByType[namespace, default: [:]][type] = key
      case "func" where word(index + 3) == "track":
        // `func name(track: Bool = true) -> Type {`
        guard let name = word(index + 1), let result = word(index + 11) else { continue }
        methods.append((name, result))
      default: break
      }
    }
    let property = SwiftName.lowerCamel(namespace)
    for method in methods {
      keyByMethod[property, default: [:]][method.name] = keyByType[namespace]?[method.type]
    }
  }
}
