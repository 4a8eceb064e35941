// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The chi-square distribution.
///
/// Pure functions, accurate to about 1e-12 of the result (checked against tables).
public enum ChiSquare: Sendable {
  /// The probability that chance alone yields a statistic of at least this size.
  ///
  /// - Parameters:
  ///   - statistic: the sum of squared deviations over expectations, from 0; infinity is allowed.
  ///   - degreesOfFreedom: from 1.
  /// - Returns: the p-value, 0…1; 1 for a statistic of 0, 0 for infinity.
  public static func pValue(_ statistic: Double, degreesOfFreedom: Int) -> Double {
    precondition(degreesOfFreedom > 0, "a test needs at least one degree of freedom")
    precondition(statistic >= 0, "the statistic is a sum of squares")
    return upperGamma(Double(degreesOfFreedom) / 2, statistic / 2)
  }

  /// The regularised upper incomplete gamma function Q(a, x) = Γ(a, x) / Γ(a).
  ///
  /// A series below a + 1, a continued fraction above, as Abramowitz and Stegun give them (6.5.29 and
  /// 6.5.31).
  ///
  /// - Parameters:
  ///   - a: the shape, above 0.
  ///   - x: from 0.
  /// - Returns: a number from 0 to 1 that falls as `x` grows.
  public static func upperGamma(_ a: Double, _ x: Double) -> Double {
    precondition(a > 0, "the shape of a gamma function is above 0")
    precondition(x >= 0, "the incomplete gamma function begins at 0")
    if x == 0 { return 1 }
    if x == .infinity { return 0 }
    let scale = exp(a * log(x) - x - logGamma(a))
    let value = x < a + 1 ? 1 - scale * lowerSeries(a, x) : scale * upperFraction(a, x)
    return min(max(value, 0), 1)
  }

  /// Terms after this add nothing to a double.
  private static let precision = 1e-16
  /// More steps than any shape and argument of a simulation needs.
  private static let greatestSteps = 100_000
  /// Keeps a continued fraction from dividing by zero (Lentz).
  private static let tiny = 1e-300

  /// Σ xⁿ / (a (a+1) … (a+n)).
  private static func lowerSeries(_ a: Double, _ x: Double) -> Double {
    var term = 1 / a
    var sum = term
    for step in 1...greatestSteps {
      term *= x / (a + Double(step))
      sum += term
      if term < sum * precision { break }
    }
    return sum
  }

  /// 1 / (x+1−a − 1(1−a) / (x+3−a − 2(2−a) / (x+5−a − …))).
  private static func upperFraction(_ a: Double, _ x: Double) -> Double {
    var b = x + 1 - a
    var c = 1 / tiny
    var d = 1 / (abs(b) < tiny ? tiny : b)
    var value = d
    for step in 1...greatestSteps {
      let numerator = -Double(step) * (Double(step) - a)
      b += 2
      d = numerator * d + b
      d = 1 / (abs(d) < tiny ? tiny : d)
      c = b + numerator / c
      if abs(c) < tiny { c = tiny }
      let factor = d * c
      value *= factor
      if abs(factor - 1) < precision * 4 { break }
    }
    return value
  }

  /// ln Γ(a) by Lanczos' approximation (g = 7, nine terms), accurate to about 1e-15.
  private static func logGamma(_ a: Double) -> Double {
    let coefficients = [
      676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
      12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
    ]
    let shifted = a - 1
    var sum = 0.99999999999980993
    for (position, coefficient) in coefficients.enumerated() {
      sum += coefficient / (shifted + Double(position + 1))
    }
    let base = shifted + 7.5
    return 0.5 * log(2 * Double.pi) + (shifted + 0.5) * log(base) - base + log(sum)
  }
}
