// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConformance
import Testing

/// The golden vectors that every evaluation must reproduce.
let vectorFolder: String = {
  let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5)
  return parts.joined(separator: "/") + "/Tests/Fixtures/vectors"
}()

struct ExpectedFile {
  let name: String
  let cases: Int
}

/// What was told of the progress.
private final class Steps: Sendable {
  private let list = Lock<[String]>([])

  var all: [String] { list.withLock { $0 } }

  @Sendable
  func add(_ done: Int, _ total: Int) { list.withLock { $0.append("\(done)/\(total)") } }
}

let expectedFiles: [ExpectedFile] = [
  ExpectedFile(name: "evaluation.json", cases: 3_600),
  ExpectedFile(name: "hashing.json", cases: 2_400),
  ExpectedFile(name: "targeting.json", cases: 2_334),
]

@Suite("Golden vectors")
struct VectorFolderTests {
  @Test("every case passes; progress is told a file")
  func passes() async throws {
    let steps = Steps()
    let report = try await VectorFolder(path: vectorFolder).run(progress: steps.add)
    #expect(report.files.map(\.name) == expectedFiles.map(\.name))
    #expect(steps.all == ["0/3", "1/3", "2/3", "3/3"])
    for expected in expectedFiles { try check(expected, report) }
  }

  private func check(_ expected: ExpectedFile, _ report: ConformanceReport) throws {
    let file = try #require(report.files.first { $0.name == expected.name })
    #expect(file.passed == expected.cases)
    #expect(file.skipped == 0)
    #expect(file.differences == [])
  }
}
