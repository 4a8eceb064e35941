// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

let tokenRecordings = [
  "token_background_refresh", "token_endpoint_down", "token_fetch_and_reuse",
  "token_rejected_on_remote_data", "token_rejected_on_tracking",
  "token_rejected_twice_on_tracking", "token_short_lived",
]

let configurationRecordings = [
  "config_data_api_domain", "config_data_api_domain_with_network_domain", "config_fetch_304",
  "config_fetch_404", "config_fetch_changed_on_poll", "config_fetch_connection_lost",
  "config_fetch_environment", "config_fetch_environment_encoded", "config_fetch_fresh",
  "config_fetch_no_last_modified", "config_fetch_older_date_modified", "config_fetch_retry_once",
  "config_fetch_two_failures_then_poll", "config_network_domain",
]

let streamRecordings = [
  "sse_failed_fetch_falls_back_to_polling", "sse_ignored_events", "sse_reconnect",
  "sse_to_polling", "sse_update", "sse_update_304", "sse_update_environment",
]

/// When something is fetched or opened is decided by a client and is taken from the recordings
/// here; readiness, update handlers and the contents of data files are tested there.
@Suite("Recorded exchanges")
struct RecordingTests {
  @Test(
    "the requests are those of the recording",
    arguments: tokenRecordings + configurationRecordings + streamRecordings)
  func replay(_ name: String) async throws {
    try await WireClient(WireScenario(name)).run()
  }

  @Test("all recordings at hand are replayed")
  func complete() throws {
    let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
    let files = try FileManager.default.contentsOfDirectory(
      atPath: folder.appendingPathComponent("wire").path)
    let recordings = files.filter { $0.hasSuffix(".json") && !$0.hasPrefix("vectors_") }
      .map { String($0.dropLast(5)) }
    #expect(
      recordings.sorted()
        == (tokenRecordings + configurationRecordings + streamRecordings).sorted())
  }
}
