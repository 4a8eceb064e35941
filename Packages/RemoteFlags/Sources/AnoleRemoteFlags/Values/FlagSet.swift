// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// What an answer says about one flag.
struct FlagEntry: Sendable, Equatable {
  let key: String
  let isEnabled: Bool
  let ruleID: String
  let values: ByteTable<JSONValue>

  static func == (left: FlagEntry, right: FlagEntry) -> Bool {
    left.isEnabled == right.isEnabled && left.key.hasSameBytes(as: right.key)
      && left.ruleID.hasSameBytes(as: right.ruleID) && left.values == right.values
  }
}

/// A flag together with the answer it came with; shared by everybody who reads it.
final class FlagContent: Sendable {
  let entry: FlagEntry
  let source: FlagSource

  init(entry: FlagEntry, source: FlagSource) {
    self.entry = entry
    self.source = source
  }
}

/// The flags that are in force together; never changed.
final class FlagSet: Sendable {
  static let empty = FlagSet([])

  private let table: ByteTable<FlagContent>

  /// Makes a set; of two flags with one key the later one counts.
  convenience init(_ entries: [FlagEntry], source: FlagSource) {
    self.init(entries.map { FlagContent(entry: $0, source: source) })
  }

  private init(_ contents: [FlagContent]) {
    table = ByteTable(contents.map { (key: $0.entry.key, value: $0) })
  }

  /// In the order of their keys' bytes.
  var contents: [FlagContent] { table.values }

  var isEmpty: Bool { table.count == 0 }

  subscript(key: String) -> FlagContent? { table[key] }

  /// This set with the flags of another in place of its own.
  func replacing(with other: FlagSet) -> FlagSet {
    FlagSet(contents + other.contents)
  }

  /// The keys that only one set has, or whose flag differs in anything but its source, in byte order.
  func differences(from other: FlagSet) -> [String] {
    let changed = contents.filter { other[$0.entry.key]?.entry != $0.entry }.map(\.entry.key)
    let removed = other.contents.filter { self[$0.entry.key] == nil }.map(\.entry.key)
    return (changed + removed).sorted { $0.precedesByBytes($1) }
  }
}

extension FlagSet: Equatable {
  static func == (left: FlagSet, right: FlagSet) -> Bool {
    left.contents.map(\.entry) == right.contents.map(\.entry)
  }
}
