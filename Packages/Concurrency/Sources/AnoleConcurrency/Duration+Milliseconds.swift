// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// Whole milliseconds, fractions cut off; the greatest or the least number there is where they do
  /// not fit.
  public var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, tooFar) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return tooFar ? (seconds < 0 ? .min : .max) : sum
  }
}
