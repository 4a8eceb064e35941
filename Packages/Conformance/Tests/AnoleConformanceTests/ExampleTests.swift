// SPDX-License-Identifier: Apache-2.0

import AnoleConformance
import Testing

/// The example of the README.
func runVectors(in folder: String) async throws -> Bool {
  let report = try await VectorFolder(path: folder).run()
  for file in report.files {
    print("\(file.name): \(file.passed) passed, \(file.failed) failed")
    for difference in file.differences { print("  \(difference.caseID): \(difference.message)") }
  }
  return report.failed == 0
}

@Suite("Example")
struct ExampleTests {
  @Test("the example runs the golden vectors")
  func example() async throws {
    #expect(try await runVectors(in: vectorFolder))
  }
}
