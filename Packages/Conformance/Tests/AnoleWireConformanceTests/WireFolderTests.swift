// SPDX-License-Identifier: Apache-2.0

import AnoleWireConformance
import Testing

/// The recordings beside the tests.
let recordingFolder: String = {
  let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
  return parts.joined(separator: "/") + "/Fixtures/wire"
}()

/// The lists of values and how many cases they hold.
let valueLists: [String: Int] = [
  "vectors_basic_authorization": 4, "vectors_config_values": 24, "vectors_event_lines": 35,
  "vectors_hosts": 9, "vectors_network_domain": 29, "vectors_percent_encoding": 108,
  "vectors_token_lifetimes": 11, "vectors_urls": 28, "vectors_visitor_code": 10,
]

/// The recordings that pass by a decision of the specification, with its sections.
let decidedRecordings: [String: [String]] = [
  "batch_three_visitors": ["network.md 3.4"],
  "remote_data": ["network.md 4.1"],
  "remote_visitor_data_default": ["network.md 4.2"],
  "remote_visitor_data_failure": ["network.md 4.4"],
  "remote_visitor_data_local_wins": ["network.md 4.4, 3.11", "network.md 4.2"],
  "remote_visitor_data_not_added": ["network.md 4.2"],
  "remote_visitor_data_nothing": ["network.md 4.2"],
  "remote_visitor_data_unique_identifier": ["network.md 4.2"],
  "track_all_data_types": ["network.md 3.4"],
  "track_exposure_untracked_after_tracked": ["network.md 3.11"],
  "track_holdout_untracked": ["network.md 3.11"],
  "track_instant_flush_then_interval": ["network.md 3.1"],
  "track_local_only_kinds": ["network.md 3.4"],
  "vectors_visitor_code": ["public-api.md 2.1"],
  "warehouse_audience": ["network.md 4.5"],
]

@Suite("Recorded exchanges", .timeLimit(.minutes(5)))
struct WireFolderTests {
  @Test("every recording is replayed as recorded, or as the specification decides")
  func passes() async throws {
    let folder = WireFolder(path: recordingFolder)
    #expect(folder.holdsRecordings)
    let report = try await folder.run()
    #expect(report.failed == 0 && report.skipped == 0, "\(report)")
    let scenarios = report.entries.filter { !$0.name.hasPrefix("vectors_") }
    #expect(scenarios.count == 80)
    #expect(scenarios.allSatisfy { $0.passed == 1 })
    let lists = report.entries.filter { $0.name.hasPrefix("vectors_") }
    #expect(Dictionary(uniqueKeysWithValues: lists.map { ($0.name, $0.passed) }) == valueLists)
    let decided = report.entries.filter { !$0.decisions.isEmpty }
    #expect(
      Dictionary(uniqueKeysWithValues: decided.map { ($0.name, $0.decisions.map(\.section)) })
        == decidedRecordings)
  }
}
