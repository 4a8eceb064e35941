// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// The flags of a data file with the names that generated code gives them.
public struct FlagNames: Sendable {
  /// The methods' names by flag key, sorted by key: `checkout` of `client.flags.checkout()`.
  ///
  /// The type is the same name with a capital.
  public let methods: [(key: String, name: String)]
  /// The flags, of several with one key the last, sorted by key.
  let flags: [(flag: FeatureFlag, name: String)]
  /// The flags whose names are not simply their keys.
  public let renamings: [Renaming]

  /// Names the flags of a data file.
  ///
  /// - Parameters:
  ///   - dataFile: The data file.
  ///   - namespace: The name of the enum that holds all, which no flag's type can have.
  public init(_ dataFile: DataFile, namespace: String) {
    var latest: [ExactText: FeatureFlag] = [:]
    for flag in dataFile.featureFlags { latest[ExactText(flag.key)] = flag }
    var namer = Namer(
      .flag, reserved: Self.reserved.union([namespace]), namesTypes: true)
    // An older flag keeps its name when another with the same words is added.
    let byAge = latest.values.sorted { left, right in
      (left.id, Bytes(left.key)) < (right.id, Bytes(right.key))
    }
    let named = byAge.map { (flag: $0, name: namer.name(of: $0.key)) }
    flags = named.sorted { Bytes($0.flag.key) < Bytes($1.flag.key) }
    methods = flags.map { ($0.flag.key, $0.name) }
    renamings = namer.renamings
  }

  /// What stands beside the flags' types in the name space, or beside their methods.
  private static let reserved: Set = [
    "Flag", "FlagVariation", "Reader", "Served", "JSON", "Variation", "keys",
  ]
}

/// A text in the order of its bytes, which no version of Unicode changes.
private struct Bytes: Comparable {
  let text: String
  init(_ text: String) { self.text = text }

  static func == (left: Bytes, right: Bytes) -> Bool { left.text.isSame(as: right.text) }
  static func < (left: Bytes, right: Bytes) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}
