// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleNetworking
import AnoleTracking

/// Puts data files in force: hosts, reads, store and tracking follow.
struct Publisher: Sendable {
  let state: EngineState
  let platform: Platform
  let local: LocalState
  let scope: StoredDataFile.Scope
  let tracker: Tracker
  let feed: VisitorFeed

  /// The most diagnostics of one file that are logged.
  private static let loggedDiagnostics = 10

  /// Puts a file in force that was there at the start.
  func publish(_ project: ProjectSnapshot) {
    let configuration = project.evaluation.dataFile.configuration
    platform.apply(dataAPIDomain: configuration.dataAPIDomain)
    log(project.diagnostics)
    state.publish(project)
    // Without a data file nothing may be sent; the queue waits for this moment.
    tracker.start(source: feed)
  }

  /// Puts a fetched file in force and keeps it for the next start.
  func publish(_ file: ConfigurationLoader.CompiledFile, _ validators: CacheValidators) {
    publish(file.project)
    guard let fetchedAt = file.project.fetchedAt else { return }
    local.write(
      StoredDataFile(
        scope: scope, validators: validators, fetchedAt: fetchedAt, bytes: file.bytes))
  }

  private func log(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics.prefix(Self.loggedDiagnostics) {
      KameleoonLogger.write(.warning, "data file: \(diagnostic)")
    }
    let rest = diagnostics.count - Self.loggedDiagnostics
    if rest > 0 { KameleoonLogger.write(.warning, "data file: and \(rest) more remarks") }
  }
}
