// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import Foundation
import Testing

/// A critical value of the tables of the chi-square distribution (Abramowitz and Stegun, table 26.8).
struct CriticalValue: Sendable, CustomTestStringConvertible {
  let degreesOfFreedom: Int
  let probability: Double
  let value: Double
  init(_ degreesOfFreedom: Int, _ probability: Double, _ value: Double) {
    self.degreesOfFreedom = degreesOfFreedom
    self.probability = probability
    self.value = value
  }
  var testDescription: String { "\(degreesOfFreedom) degrees, \(probability)" }
}

let criticalValues: [CriticalValue] = [
  CriticalValue(1, 0.995, 3.92704e-5), CriticalValue(1, 0.5, 0.454937),
  CriticalValue(1, 0.1, 2.70554), CriticalValue(1, 0.05, 3.84146),
  CriticalValue(1, 0.01, 6.63490), CriticalValue(1, 0.001, 10.828),
  CriticalValue(2, 0.975, 0.0506356), CriticalValue(2, 0.05, 5.99147),
  CriticalValue(2, 0.001, 13.816), CriticalValue(3, 0.05, 7.81473),
  CriticalValue(4, 0.05, 9.48773), CriticalValue(5, 0.05, 11.0705),
  CriticalValue(5, 0.01, 15.0863), CriticalValue(10, 0.95, 3.94030),
  CriticalValue(10, 0.05, 18.3070), CriticalValue(10, 0.001, 29.588),
  CriticalValue(20, 0.5, 19.3374), CriticalValue(30, 0.05, 43.7729),
  CriticalValue(30, 0.005, 53.6720), CriticalValue(50, 0.05, 67.5048),
  CriticalValue(100, 0.95, 77.9295), CriticalValue(100, 0.05, 124.342),
  CriticalValue(100, 0.001, 149.449),
]

@Suite("The chi-square distribution")
struct ChiSquareTests {
  @Test("agrees with the table's critical values", arguments: criticalValues)
  func table(_ row: CriticalValue) {
    let p = ChiSquare.pValue(row.value, degreesOfFreedom: row.degreesOfFreedom)
    // The table rounds to six digits (0.001: to three decimals), which moves the probability so far.
    #expect(abs(p - row.probability) < row.probability * 1e-3)
  }

  @Test("agrees with the closed forms for even degrees of freedom and for one")
  func closedForms() {
    for x in [0.001, 0.1, 0.7, 1, 2.5, 4, 7, 12, 30, 80, 200] {
      let half = x / 2
      let forms: [(Int, Double)] = [
        (1, erfc(half.squareRoot())), (2, exp(-half)), (4, exp(-half) * (1 + half)),
        (6, exp(-half) * (1 + half + half * half / 2)),
      ]
      for (degrees, expected) in forms {
        let p = ChiSquare.pValue(x, degreesOfFreedom: degrees)
        #expect(abs(p - expected) <= expected * 1e-11 + 1e-300, "\(degrees), \(x)")
      }
    }
  }

  @Test("is 1 at 0, 0 at infinity, and falls between")
  func monotone() {
    for degrees in [1, 2, 3, 7, 40, 500, 3000] {
      #expect(ChiSquare.pValue(0, degreesOfFreedom: degrees) == 1)
      #expect(ChiSquare.pValue(.infinity, degreesOfFreedom: degrees) == 0)
      var last = 1.0
      for step in 1...200 {
        let p = ChiSquare.pValue(Double(step) * Double(degrees) / 40, degreesOfFreedom: degrees)
        #expect((0...last).contains(p))
        last = p
      }
    }
    #expect(ChiSquare.pValue(1e6, degreesOfFreedom: 1) == 0)
    #expect(ChiSquare.upperGamma(0.5, 0) == 1)
  }

  @Test("the two ways of computing meet where one takes over from the other")
  func seam() {
    for a in [0.5, 1, 3.5, 20, 150] {
      let below = ChiSquare.upperGamma(a, a + 1 - 1e-9)
      let above = ChiSquare.upperGamma(a, a + 1 + 1e-9)
      #expect(abs(below - above) < 1e-8)
    }
  }
}

@Suite("Goodness of fit")
struct GoodnessOfFitTests {
  @Test("a die: the sum of squares, five degrees of freedom")
  func die() throws {
    // A textbook's example: 60 throws, 10 expected each.
    let test = try #require(
      GoodnessOfFit(
        observed: [5, 8, 9, 8, 10, 20], expected: [Double](repeating: 1.0 / 6, count: 6)))
    #expect(abs(test.statistic - 13.4) < 1e-9)
    #expect(test.degreesOfFreedom == 5)
    #expect(abs(test.pValue - 0.0199) < 0.0001)
  }

  @Test("cells of few expected visitors are thrown together")
  func pooling() throws {
    let test = try #require(
      GoodnessOfFit(observed: [90, 4, 3, 3], expected: [0.9, 0.04, 0.03, 0.03]))
    #expect(test.degreesOfFreedom == 1)
    #expect(test.statistic < 1e-9)
    let tiny = try #require(
      GoodnessOfFit(observed: [500, 499, 1], expected: [0.5, 0.499, 0.001]))
    #expect(tiny.degreesOfFreedom == 1)
  }

  @Test("a single outcome leaves nothing to test")
  func nothing() {
    #expect(GoodnessOfFit(observed: [10], expected: [1]) == nil)
    #expect(GoodnessOfFit(observed: [10, 0], expected: [1, 0]) == nil)
    #expect(GoodnessOfFit(observed: [2, 2], expected: [0.5, 0.5]) == nil)
    #expect(GoodnessOfFit(observed: [], expected: []) == nil)
  }
}
