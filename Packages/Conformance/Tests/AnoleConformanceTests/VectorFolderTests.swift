// SPDX-License-Identifier: Apache-2.0

import AnoleConformance
import Testing

/// The golden vectors that every evaluation must reproduce.
let vectorFolder: String = {
  let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5)
  return parts.joined(separator: "/") + "/Tests/Fixtures/vectors"
}()

struct ExpectedFile: Sendable, CustomTestStringConvertible {
  let name: String
  let cases: Int
  var testDescription: String { name }
}

let expectedFiles: [ExpectedFile] = [
  ExpectedFile(name: "evaluation.json", cases: 3_600),
  ExpectedFile(name: "hashing.json", cases: 2_400),
  ExpectedFile(name: "targeting.json", cases: 2_334),
]

@Suite("Golden vectors")
struct VectorFolderTests {
  static let report = Result { try VectorFolder(path: vectorFolder).run() }

  @Test("every case of a file passes", arguments: expectedFiles)
  func passes(_ expected: ExpectedFile) throws {
    let report = try Self.report.get()
    let file = try #require(report.files.first { $0.name == expected.name })
    #expect(file.passed == expected.cases)
    #expect(file.skipped == 0)
    #expect(file.differences == [])
  }
}
