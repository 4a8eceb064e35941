// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

extension Types.Variation {
  init(_ variation: AnoleEvaluation.Variation) {
    var variables: [String: Types.Variable] = [:]
    for variable in variation.variables { variables[variable.key] = Types.Variable(variable) }
    self.init(
      name: variation.name, key: variation.key, id: variation.id.map { Int($0) } ?? -1,
      experimentId: variation.experimentID.map { Int($0) } ?? -1, variables: variables)
  }
}

extension Types.Variable {
  init(_ variable: AnoleModels.Variable) {
    self.init(key: variable.key, type: variable.type, content: variable.value)
  }
}

extension Types.DataFile {
  /// What a snapshot says about all flags; build it once a snapshot.
  init(_ snapshot: Snapshot) {
    var flags: [String: Types.FeatureFlag] = [:]
    // Of two flags with one key the later counts.
    for flag in snapshot.overview() { flags[flag.key] = Types.FeatureFlag(flag) }
    self.init(
      featureFlags: flags, dateModified: Int(snapshot.dataFile.dateModified.milliseconds))
  }
}

extension Types.FeatureFlag {
  init(_ flag: FlagOverview) {
    self.init(
      environmentEnabled: flag.isEnvironmentEnabled,
      defaultVariationKey: flag.defaultVariationKey,
      variations: Self.byKey(flag.variations),
      rules: flag.rules.map { Types.Rule(variations: Self.byKey($0)) })
  }

  /// Of two variations with one key the first counts.
  private static func byKey(
    _ variations: [AnoleEvaluation.Variation]
  ) -> [String: Types.Variation] {
    Dictionary(variations.map { ($0.key, Types.Variation($0)) }) { first, _ in first }
  }
}
