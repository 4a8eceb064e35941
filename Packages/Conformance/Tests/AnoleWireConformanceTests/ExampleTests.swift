// SPDX-License-Identifier: Apache-2.0

import AnoleWireConformance
import Testing

/// The example of the README.
func replay(_ folder: String) async throws -> Bool {
  let report = try await WireFolder(path: folder).run()
  for entry in report.entries {
    print("\(entry.name): \(entry.passed) passed, \(entry.skipped) skipped, \(entry.failed) failed")
    for decision in entry.decisions { print("  \(decision.section): \(decision.difference)") }
    for failure in entry.failures { print("  \(failure.caseID) \(failure.message)") }
  }
  return report.failed == 0
}

@Suite("Example", .timeLimit(.minutes(1)))
struct ExampleTests {
  @Test("the example replays a recording")
  func example() async throws {
    let folder = try AlteredFolder("track_exposure_interval") { $0 }
    let path = folder.path
    #expect(try await replay(path))
  }
}
