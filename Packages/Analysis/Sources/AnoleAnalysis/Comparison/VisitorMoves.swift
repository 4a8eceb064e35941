// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// What a population gets of flags before and after a change of the data file.
///
/// Every flag is decided for itself, as in ``Simulation``.
public struct VisitorMoves: Sendable, Hashable {
  /// What visitors notice of a change.
  public enum Effect: String, Sendable, Hashable, Codable, CaseIterable {
    /// Another variation, one instead of none, or none instead of one.
    case variation
    /// The same variation with other variables.
    case variables
    /// Nothing: only reason or ids are different.
    case reason
  }

  /// Visitors with the same outcome before, and the same after.
  public struct Transition: Sendable, Hashable {
    /// What they got.
    public let from: FlagOutcome
    /// What they get.
    public let to: FlagOutcome
    /// What they notice.
    public let effect: Effect
    /// How many there are.
    public let count: Int
    /// The codes of the first few.
    public let examples: [String]

    /// The transition as JSON.
    public var document: JSONValue {
      [
        "from": from.document, "to": to.document, "effect": .string(effect.rawValue),
        "count": .count(count), "examples": .texts(examples),
      ]
    }
  }

  /// The transitions of one flag.
  public struct Flag: Sendable, Hashable {
    /// The flag.
    public let featureKey: String
    /// The transitions that change anything: those with the greatest effect first, of one effect those
    /// of most visitors first.
    public let transitions: [Transition]
    /// How many visitors have an outcome that is the same in everything.
    public let unchangedCount: Int

    /// How many visitors notice an effect.
    public func count(_ effect: Effect) -> Int {
      transitions.filter { $0.effect == effect }.reduce(0) { $0 + $1.count }
    }

    /// The flag's transitions as JSON.
    public var document: JSONValue {
      [
        "flag": .string(featureKey), "variationChanges": .count(count(.variation)),
        "variableChanges": .count(count(.variables)), "reasonChanges": .count(count(.reason)),
        "unchanged": .count(unchangedCount), "transitions": .array(transitions.map(\.document)),
      ]
    }
  }

  /// How many visitors asked.
  public let visitorCount: Int
  /// How many visitors get another variation of at least one flag that both files have.
  public let movedCount: Int
  /// The flags that were decided, in the order of the newer file, flags that are gone last.
  ///
  /// Flags that cannot have changed for anybody are left out.
  public let flags: [Flag]

  init(visitorCount: Int, movedCount: Int, flags: [Flag]) {
    self.visitorCount = visitorCount
    self.movedCount = movedCount
    self.flags = flags
  }

  /// The result as JSON, with the keys that the README lists.
  public var document: JSONValue {
    [
      "visitors": .count(visitorCount), "variationChanges": .count(movedCount),
      "flags": .array(flags.map(\.document)),
    ]
  }
}
