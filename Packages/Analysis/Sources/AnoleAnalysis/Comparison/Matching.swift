// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Elements of two lists that belong together by a key; of several with one key the first of one list
/// belongs to the first of the other, and so on.
struct Matching<Element> {
  /// Elements of both lists, in the order of the newer.
  private(set) var common: [(old: Element, new: Element)] = []
  /// Elements of the newer list alone.
  private(set) var added: [Element] = []
  /// Elements of the older list alone.
  private(set) var removed: [Element] = []
  /// Whether common elements stand in another order.
  private(set) var isReordered = false

  init<Key: Hashable>(_ old: [Element], _ new: [Element], by key: (Element) -> Key) {
    var positions: [Key: [Int]] = [:]
    for (position, element) in old.enumerated().reversed() {
      positions[key(element), default: []].append(position)
    }
    var taken: Set<Int> = []
    var last = -1
    for element in new {
      guard let position = positions[key(element)]?.popLast() else {
        added.append(element)
        continue
      }
      if position < last { isReordered = true }
      last = max(last, position)
      taken.insert(position)
      common.append((old[position], element))
    }
    removed = old.indices.filter { !taken.contains($0) }.map { old[$0] }
  }
}
