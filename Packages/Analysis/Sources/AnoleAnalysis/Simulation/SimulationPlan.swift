// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

/// What a simulation has to decide, found out once.
struct SimulationPlan: Sendable {
  struct PlannedFlag: Sendable {
    let key: String
    let isEnabled: Bool
  }

  struct PlannedGroup: Sendable {
    let name: String
    /// Positions among ``SimulationPlan/flags``, by ascending flag id.
    let members: [Int]
  }

  let snapshot: Snapshot
  let crowd: Crowd
  /// The flags to tell about, then the other members of their groups.
  let flags: [PlannedFlag]
  /// How many flags to tell about.
  let reportedCount: Int
  /// Groups of more than one member that a reported flag is in.
  let groups: [PlannedGroup]
  /// Whether each visitor's record depends on the visitor code.
  let isPersonal: Bool

  /// - Throws: ``AnalysisError``: there is no such flag, or the population is not usable.
  init(
    _ featureKeys: [String]?, _ population: VisitorPopulation, _ snapshot: Snapshot
  ) throws(AnalysisError) {
    self.snapshot = snapshot
    crowd = try Crowd(population)
    try crowd.requireUsableData([snapshot.customData])
    let dataFile = snapshot.dataFile
    var flags: [FeatureFlag] = []
    for key in featureKeys ?? snapshot.featureKeys {
      guard let flag = dataFile.visibleFlag(key) else {
        throw .evaluation(.featureNotFound(featureKey: key))
      }
      flags.append(flag)
    }
    reportedCount = flags.count
    var positions: [ExactText: Int] = [:]
    for (position, flag) in flags.enumerated() { positions[ExactText(flag.key)] = position }
    var groups: [PlannedGroup] = []
    var names: Set<ExactText> = []
    for name in flags.compactMap(\.mutuallyExclusiveGroup) {
      guard names.insert(ExactText(name)).inserted else { continue }
      let members = dataFile.groupMembers(name)
      guard members.count > 1 else { continue }
      for member in members where positions[ExactText(member.key)] == nil {
        positions[ExactText(member.key)] = flags.count
        flags.append(member)
      }
      groups.append(
        PlannedGroup(name: name, members: members.compactMap { positions[ExactText($0.key)] }))
    }
    self.flags = flags.map { PlannedFlag(key: $0.key, isEnabled: $0.isEnvironmentEnabled) }
    self.groups = groups
    isPersonal = crowd.records(snapshot.customData).contains { $0.mappingIdentifier != nil }
  }

  /// How many visitors a range has: a few milliseconds of work.
  var rangeSize: Int { max(64, 16_384 / max(flags.count, 1)) }
}
