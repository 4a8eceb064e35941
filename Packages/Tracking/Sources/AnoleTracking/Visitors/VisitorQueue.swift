// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The codes of the visitors that wait to be tracked: a set in the order of first insertion.
///
/// A pure value. Codes are the same if their bytes are: a composed and a decomposed é are two.
struct VisitorQueue: Sendable {
  private var codes: [String?] = []
  private var positions: [ExactText: Int] = [:]

  var count: Int { positions.count }
  var isEmpty: Bool { positions.isEmpty }

  func contains(_ code: String) -> Bool { positions[ExactText(code)] != nil }

  /// Adds a code, unless it waits already.
  mutating func insert(_ code: String) {
    let key = ExactText(code)
    guard positions[key] == nil else { return }
    positions[key] = codes.count
    codes.append(code)
  }

  /// Takes a code out, if it is there.
  mutating func remove(_ code: String) {
    guard let position = positions.removeValue(forKey: ExactText(code)) else { return }
    codes[position] = nil
    if positions.isEmpty { codes = [] }
  }

  /// Takes all codes out.
  mutating func takeAll() -> [String] {
    defer { self = VisitorQueue() }
    return codes.compactMap { $0 }
  }
}
