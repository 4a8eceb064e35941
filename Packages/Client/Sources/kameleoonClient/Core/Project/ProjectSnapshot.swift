// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// A data file in force: compiled for decisions, with everything that is handed out ready.
///
/// Immutable and shared by any number of threads; an update replaces it as a whole, and a call works
/// on the one it took to the end.
final class ProjectSnapshot: Sendable {
  /// The compiled data file.
  let evaluation: Snapshot
  /// Where the file comes from.
  let origin: FileOrigin
  /// When the file was fetched; nil for a default file.
  let fetchedAt: Timestamp?
  /// Whether the file has a global holdout.
  let hasHoldout: Bool
  /// What had to be left out of the file.
  let diagnostics: [Diagnostic]

  private let variations: [LazyValue<Types.Variation.Content>]
  private let keys = LazyValue<[String]>()
  private let overview = LazyValue<Types.DataFile>()

  /// Compiles a data file.
  init(
    _ reading: DataFile.Reading, origin: FileOrigin, fetchedAt: Timestamp?, sdk: SDKIdentity
  ) {
    evaluation = Snapshot(reading.dataFile, sdk: sdk)
    hasHoldout = reading.dataFile.holdout != nil
    diagnostics = reading.diagnostics + evaluation.diagnostics
    self.origin = origin
    self.fetchedAt = fetchedAt
    variations = (0..<evaluation.variationCount).map { _ in LazyValue() }
  }

  /// The variation of a decision, with the variables that its flag gives it.
  func variation(of decision: Decision) -> Types.Variation {
    let id = Int(truncatingIfNeeded: decision.variationID ?? -1)
    let experimentID = Int(truncatingIfNeeded: decision.experimentID ?? -1)
    guard let position = decision.variationPosition else {
      return Types.Variation(key: decision.variationKey, id: id, experimentId: experimentID)
    }
    let content = variations[position].get {
      Types.Variation(evaluation.variation(of: decision)).content
    }
    return Types.Variation(content: content, id: id, experimentId: experimentID)
  }

  /// The keys of all flags by their position.
  var featureKeys: [String] { keys.get { evaluation.featureKeys } }

  /// What the file says about all flags, without a visitor.
  var dataFile: Types.DataFile {
    overview.get { Types.DataFile(evaluation) }
  }
}

/// Where a data file comes from.
enum FileOrigin: Sendable, Hashable {
  /// The default file that the application gave.
  case givenDefault
  /// The store, where an earlier process left it.
  case stored
  /// The server, at a start or a tick.
  case fetched
  /// The server, because the event stream told of it.
  case streamed
}
