// SPDX-License-Identifier: Apache-2.0

/// Where a hash value falls among shares.
///
/// Evaluation specification 2.2. All functions are pure and may be called from any thread.
public enum Split: Sendable {
  /// Finds the share that a value falls into.
  ///
  /// Adds the shares in order, starting at 0, and stops at the first whose running sum is at least
  /// the value: upper bounds belong to their share. A leading share of 0 is passed over unless the
  /// value is exactly 0.
  ///
  /// - Parameters:
  ///   - value: A value of ``BucketHash``, from 0 to 1.
  ///   - expositions: The shares, each from 0 to 1, in the order of the rule. Their order decides.
  /// - Returns: The position of the share, or `nil` if all of them sum to less than the value.
  @inlinable
  public static func index(of value: Double, in expositions: [Double]) -> Int? {
    index(of: value, count: expositions.count) { expositions[$0] }
  }

  /// Finds the share that a value falls into, for shares that do not lie in an array of their own.
  ///
  /// - Parameters:
  ///   - value: A value of ``BucketHash``, from 0 to 1.
  ///   - count: The number of shares.
  ///   - exposition: The share at a position, asked for in order, from 0 to 1.
  /// - Returns: The position of the share, or `nil` if all of them sum to less than the value.
  @inlinable
  @inline(__always)
  public static func index(
    of value: Double, count: Int, exposition: (Int) -> Double
  ) -> Int? {
    var sum = 0.0
    for index in 0..<count {
      sum += exposition(index)
      if sum >= value { return index }
    }
    return nil
  }

  /// Finds the member of an equal partition that a value falls into.
  ///
  /// Groups of mutually exclusive experiments and ties of a bandit are decided this way.
  ///
  /// - Parameters:
  ///   - value: A value of ``BucketHash``, from 0 to 1. It must not be negative or NaN.
  ///   - count: The number of members. It must be above 0.
  /// - Returns: min(floor(`value` × `count`), `count` − 1), so that the value 1 is in the last.
  @inlinable
  public static func partition(of value: Double, into count: Int) -> Int {
    precondition(count > 0, "an equal partition needs at least one member")
    precondition(value >= 0, "a hash value is a number from 0 to 1")
    let position = value * Double(count)
    return position < Double(count) ? min(Int(position), count - 1) : count - 1
  }
}
