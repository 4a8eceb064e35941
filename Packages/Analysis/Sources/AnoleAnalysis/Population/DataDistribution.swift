// SPDX-License-Identifier: Apache-2.0

/// How a piece of visitor data is spread over simulated visitors: 60 % have phones, 40 % computers.
///
/// Each visitor draws a share by seed and number, independently of every other distribution and of
/// all bucketing.
public struct DataDistribution: Sendable, Hashable {
  /// A share of the visitors and what they have.
  public struct Share: Sendable, Hashable {
    /// The part of the visitors, 0…1.
    public let weight: Double
    /// What they have; empty for nothing.
    public let traits: [VisitorTrait]
    /// The value in words, for messages.
    public let label: String

    /// Makes a share.
    public init(weight: Double, traits: [VisitorTrait], label: String) {
      self.weight = weight
      self.traits = traits
      self.label = label
    }
  }

  /// What is distributed, for messages: `device`, `custom:plan`.
  public let name: String
  /// The shares; what they miss to 1 are visitors without the data.
  public let shares: [Share]

  /// Sums of decimal fractions miss 1 by less than this.
  private static let tolerance = 1e-9

  /// Makes a distribution.
  ///
  /// - Throws: ``AnalysisError/invalidDistribution(_:)`` if there is no share, a weight is not within
  ///   0…1, or the weights sum to more than 1.
  public init(name: String, shares: [Share]) throws(AnalysisError) {
    guard !shares.isEmpty else {
      throw .invalidDistribution(
        "the distribution of \(name.quoted) has no shares; name at least one")
    }
    for share in shares where !(0...1).contains(share.weight) {
      throw .invalidDistribution(
        "the share of \(share.label.quoted) in \(name.quoted) is \(share.weight); "
          + "shares lie within 0…1")
    }
    let sum = shares.reduce(0) { $0 + $1.weight }
    guard sum <= 1 + Self.tolerance else {
      throw .invalidDistribution(
        "the shares of \(name.quoted) sum to \(sum); lower them to 1 at most "
          + "(what is missing to 1 are visitors without the data)")
    }
    self.name = name
    self.shares = shares
  }

  /// The shares with what is missing to 1 as a share of its own.
  var completeShares: [Share] {
    let rest = 1 - shares.reduce(0) { $0 + $1.weight }
    guard rest > Self.tolerance else { return shares }
    return shares + [Share(weight: rest, traits: [], label: "nothing")]
  }
}

extension DataDistribution {
  /// Draws a share for each visitor.
  struct Draw: Sendable {
    /// The upper ends of all shares but the last, as parts of 2^64.
    private let thresholds: [UInt64]
    private let seed: UInt64

    /// - Parameters:
    ///   - distribution: what is drawn.
    ///   - position: its place among the distributions of a population.
    ///   - seed: the population's.
    init(_ distribution: DataDistribution, at position: Int, seed: UInt64) {
      var sum = 0.0
      thresholds = distribution.completeShares.dropLast().map { share in
        sum += share.weight
        return sum >= 1 ? .max : UInt64(sum * 0x1p64)
      }
      self.seed = seed ^ UInt64(position + 1) &* 0xD6E8_FEB8_6659_FD93
    }

    /// How many shares there are.
    var shareCount: Int { thresholds.count + 1 }

    /// The position of a visitor's share.
    @inline(__always)
    func share(of number: Int) -> Int {
      let draw = Self.mix(seed, UInt64(number))
      var share = 0
      for threshold in thresholds where draw >= threshold { share += 1 }
      return share
    }

    /// SplitMix64 at a place of its sequence.
    @inline(__always)
    private static func mix(_ seed: UInt64, _ number: UInt64) -> UInt64 {
      var z = seed &+ number &* 0x9E37_79B9_7F4A_7C15
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}
