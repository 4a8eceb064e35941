// SPDX-License-Identifier: Apache-2.0

/// One change of a flag in a data file.
enum FlagChange: Sendable, Hashable {
  /// Switches the flag on or off in its environment.
  case enabled(Bool)
  /// Sets the share of targeted visitors that a rule admits.
  case exposition(Double, rule: Int64)
  /// Sets the shares of a rule's variations, in the order of its split.
  case split([Double], rule: Int64)

  /// How much more than 1 the shares of a split may add up to: decimal fractions are not exact.
  private static let tolerance = 1e-9

  /// Refuses shares that no visitors could be.
  func check() throws(FlagEditError) {
    switch self {
    case .enabled: break
    case .exposition(let share, _):
      guard (0...1).contains(share) else {
        throw FlagEditError(.invalidValue, "the exposition is \(share): give a share from 0 to 1")
      }
    case .split(let shares, _):
      if let share = shares.first(where: { !(0...1).contains($0) }) {
        throw FlagEditError(.invalidValue, "the split has \(share): give shares from 0 to 1")
      }
      let sum = shares.reduce(0, +)
      guard sum <= 1 + Self.tolerance else {
        throw FlagEditError(.invalidValue, "the split adds up to \(sum): lower it to 1 at most")
      }
    }
  }
}
