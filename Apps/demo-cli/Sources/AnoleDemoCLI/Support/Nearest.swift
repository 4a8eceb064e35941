// SPDX-License-Identifier: Apache-2.0

/// Finds the names somebody may have meant.
enum Nearest {
  /// Longer names are not compared: the work grows with the square of the length.
  private static let lengthLimit = 64
  private static let countLimit = 3

  /// At most three names that look like a word, the likeliest first.
  static func names(to word: String, among names: [String]) -> [String] {
    let typed = Array(word.lowercased().prefix(lengthLimit + 1))
    guard !typed.isEmpty, typed.count <= lengthLimit else { return [] }
    let tolerance = max(1, typed.count / 3)
    var ranked: [(distance: Int, name: String)] = []
    for name in names {
      let candidate = Array(name.lowercased().prefix(lengthLimit + 1))
      guard candidate.count <= lengthLimit else { continue }
      let distance = distance(typed, candidate)
      let isPart = typed.count > 2 && name.lowercased().contains(word.lowercased())
      if distance <= tolerance || isPart { ranked.append((distance, name)) }
    }
    return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .prefix(countLimit).map(\.name)
  }

  /// How many letters must be put in, left out, replaced or swapped with their neighbour.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var older: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var best = min(
          previous[column] + (isSame ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, older[column - 1] + 1)
        }
        current.append(best)
      }
      older = previous
      previous = current
    }
    return previous[right.count]
  }
}
