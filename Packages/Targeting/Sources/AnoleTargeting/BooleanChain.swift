// SPDX-License-Identifier: Apache-2.0

/// Joins operands by the vendor's grouping rule (section 4.1), which is not ordinary precedence:
/// AND binds two neighbours, everything to the right forms one group.
///
/// `a AND b AND c OR d` is (a AND b) AND (c OR d). Evaluation goes from left to right and stops
/// as soon as the result is certain.
enum BooleanChain {
  /// - Parameters:
  ///   - count: how many operands there are; none counts as true.
  ///   - joinsWithOr: whether the operator behind an operand is OR; a missing one is AND.
  ///   - operand: the value of an operand, asked for at most once.
  @inline(__always)
  static func evaluate(
    count: Int, joinsWithOr: (Int) -> Bool, operand: (Int) -> Bool
  ) -> Bool {
    guard count > 0 else { return true }
    var position = 0
    while true {
      let first = operand(position)
      guard position + 1 < count else { return first }
      if joinsWithOr(position) {
        if first { return true }
        position += 1
        continue
      }
      let pair = first && operand(position + 1)
      guard position + 2 < count else { return pair }
      if joinsWithOr(position + 1) {
        if pair { return true }
      } else if !pair {
        return false
      }
      position += 2
    }
  }
}
