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
    var isSecondOfPair = false
    while true {
      let value = operand(position)
      let isLast = position + 1 == count
      if !isSecondOfPair, !isLast, !joinsWithOr(position) {
        position += 1
        if value {
          isSecondOfPair = true
          continue
        }
        // The pair is false whatever its second operand says.
      }
      isSecondOfPair = false
      // From here on `value` is that of a single operand or of a pair that ends at `position`.
      guard position + 1 < count else { return value }
      if joinsWithOr(position) {
        if value { return true }
      } else if !value {
        return false
      }
      position += 1
    }
  }
}
