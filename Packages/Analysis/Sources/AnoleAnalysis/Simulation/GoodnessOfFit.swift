// SPDX-License-Identifier: Apache-2.0

/// How well counts agree with expected shares: Pearson's chi-square test.
///
/// Cells of which fewer than five visitors are expected are thrown together, because the test does not
/// hold for them; if what they make together is still below five, it joins the smallest other cell.
public struct GoodnessOfFit: Sendable, Hashable {
  /// The sum of (observed − expected)² / expected.
  public let statistic: Double
  /// The number of cells after throwing together, minus 1.
  public let degreesOfFreedom: Int
  /// The probability that chance alone yields a statistic of at least this size, 0…1.
  public let pValue: Double

  /// The least expected count of a cell.
  public static let leastExpectedCount = 5.0

  /// Tests counts.
  ///
  /// - Parameters:
  ///   - observed: how many visitors fell into each cell.
  ///   - expected: the share of each cell; those above 0 count, and they should sum to 1.
  /// - Returns: nil if fewer than two cells remain, so that there is nothing to test.
  public init?(observed: [Int], expected: [Double]) {
    precondition(observed.count == expected.count, "every cell needs an expectation")
    let total = Double(observed.reduce(0, +))
    var cells: [(observed: Double, expected: Double)] = []
    var rest = (observed: 0.0, expected: 0.0)
    for (count, share) in zip(observed, expected) where share > 0 {
      let cell = (observed: Double(count), expected: total * share)
      if cell.expected >= Self.leastExpectedCount {
        cells.append(cell)
      } else {
        rest = (rest.observed + cell.observed, rest.expected + cell.expected)
      }
    }
    if rest.expected >= Self.leastExpectedCount {
      cells.append(rest)
    } else if rest.expected > 0,
      let smallest = cells.indices.min(by: { cells[$0].expected < cells[$1].expected })
    {
      cells[smallest].observed += rest.observed
      cells[smallest].expected += rest.expected
    }
    guard cells.count > 1 else { return nil }
    statistic = cells.reduce(0) { sum, cell in
      let difference = cell.observed - cell.expected
      return sum + difference * difference / cell.expected
    }
    degreesOfFreedom = cells.count - 1
    pValue = ChiSquare.pValue(statistic, degreesOfFreedom: degreesOfFreedom)
  }
}
