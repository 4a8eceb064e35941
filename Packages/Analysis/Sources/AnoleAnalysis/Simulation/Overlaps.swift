// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// How many visitors the global holdout keeps out.
public struct HoldoutOverlap: Sendable, Hashable {
  /// The experiment of the holdout.
  public let experimentID: Int64
  /// How many visitors are in it for at least one of the simulated flags that are switched on. (For
  /// flags bucketed by custom data a visitor may be in it, and out of it for others.)
  public let count: Int
  /// The part of all visitors, 0…1.
  public let share: Double
  /// The part that its split promises, 0…1.
  public let expectedShare: Double

  /// The result as JSON.
  public var document: JSONValue {
    [
      "experimentId": .id(experimentID), "count": .count(count), "share": .real(share),
      "expectedShare": .real(expectedShare),
    ]
  }
}

/// Which flag of a mutually exclusive group visitors may get.
///
/// Every visitor is counted once: with one member, with several, or without any.
public struct GroupOverlap: Sendable, Hashable {
  /// A flag of the group.
  public struct Member: Sendable, Hashable {
    /// The flag.
    public let featureKey: String
    /// Whether it is switched on.
    public let isEnabled: Bool
    /// For how many visitors it may be evaluated: they are not in the holdout, and the group picked it.
    ///
    /// 0 for a flag that is switched off; see ``GroupOverlap/switchedOffCount``.
    public let count: Int
    /// The part of all visitors, 0…1.
    public let share: Double
    /// The part that group and holdout promise, 0…1; nil if it cannot be told, or the flag is switched
    /// off.
    public let expectedShare: Double?
  }

  /// The group's name.
  public let name: String
  /// The flags by ascending id.
  public let members: [Member]
  /// Visitors kept out by the holdout.
  public let holdoutCount: Int
  /// Visitors whose refused consent blocks every flag.
  public let blockedCount: Int
  /// Visitors who were dealt to a member that is switched off, and so get none.
  public let switchedOffCount: Int
  /// Visitors for whom more than one member may be evaluated: the group does not exclude for them.
  ///
  /// It happens where members are bucketed by different keys.
  public let severalCount: Int
  /// The codes of the first few of them.
  public let severalExamples: [String]

  /// Whether nobody gets two flags of the group.
  public var isExclusive: Bool { severalCount == 0 }

  /// The result as JSON.
  public var document: JSONValue {
    let members = members.map { member -> JSONValue in
      [
        "flag": .string(member.featureKey), "enabled": .bool(member.isEnabled),
        "count": .count(member.count), "share": .real(member.share),
        "expectedShare": .real(member.expectedShare),
      ]
    }
    return [
      "name": .string(name), "members": .array(members), "inHoldout": .count(holdoutCount),
      "blocked": .count(blockedCount), "switchedOff": .count(switchedOffCount),
      "several": .count(severalCount), "severalExamples": .texts(severalExamples),
      "exclusive": .bool(isExclusive),
    ]
  }
}
