// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// A data file that is served, compiled for deciding with it.
struct ServedSnapshot: Sendable {
  /// What `SDK_LANGUAGE` conditions are told: the identity of this SDK.
  private static let sdk = SDKIdentity(version: "4.27.3")

  let snapshot: Snapshot
  /// What was left out of the file, and what in its segments can never match.
  let diagnostics: [Diagnostic]
  /// The flags by their position in ``snapshot``.
  let flags: [FeatureFlag]
  /// The types of their values.
  let shapes: [FlagShape]

  init(_ bytes: [UInt8]) throws(DataFileError) {
    let reading = try DataFile.read(bytes)
    snapshot = Snapshot(reading.dataFile, sdk: Self.sdk)
    diagnostics = reading.diagnostics + snapshot.diagnostics
    // Of two flags with one key the later counts, as in the snapshot.
    var flagsByKey: [[UInt8]: FeatureFlag] = [:]
    for flag in reading.dataFile.featureFlags { flagsByKey[Array(flag.key.utf8)] = flag }
    flags = snapshot.featureKeys.map { flagsByKey[Array($0.utf8)] ?? FeatureFlag() }
    shapes = flags.map(FlagShape.init)
  }
}

extension Platform {
  /// The compiled form of the file that a site and environment are served; nil where there is none.
  ///
  /// A file is compiled once, when it is first asked for.
  /// - Parameters:
  ///   - siteCode: The site; nil for the general file, or else the only one that is set.
  ///   - environment: The environment, as in a request for the file.
  /// - Throws: `DataFileError` if what is served is no data file.
  mutating func servedSnapshot(
    siteCode: String? = nil, environment: String? = nil
  ) throws(DataFileError) -> ServedSnapshot? {
    try dataFiles.snapshot(siteCode: siteCode, environment: environment)
  }
}
