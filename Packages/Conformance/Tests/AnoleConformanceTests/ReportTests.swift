// SPDX-License-Identifier: Apache-2.0

import AnoleConformance
import AnoleModels
import Foundation
import Testing

/// A folder with files of its own that is removed at the end.
private struct TemporaryFolder: ~Copyable {
  let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("anole-conformance-\(UUID().uuidString)").path

  init(_ files: [String: String]) throws {
    try FileManager.default.createDirectory(
      atPath: path + "/datafiles", withIntermediateDirectories: true)
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      Issue.record("the folder \(path) could not be removed: \(error)")
    }
  }
}

private let hashingCases = """
  {"cases":[
  ["container","visitor1",1,null,"29f5802259c2e15a",0.16390229071272303],
  ["container","visitor1",2,null,"29f5802259c2e15a",0.16390229071272303],
  ["group","visitor1","ME-GROUP-A",null,"8aef2586d13b24ac",0.5],
  ["container",7]]}
  """

private let targetingCases = """
  {"cases":[
  {"id":"right","visitor":"v","now":1,"expect":true,
   "condition":{"targetingType":"VISITOR_CODE","matchType":"EXACT","visitorCode":"v"}},
  {"id":"wrong","visitor":"v","now":1,"expect":false,
   "condition":{"targetingType":"VISITOR_CODE","matchType":"EXACT","visitorCode":"v"}},
  {"id":"unknown data","visitor":"v","now":1,"expect":true,"data":[{"type":"mood"}],
   "condition":{"targetingType":"VISITOR_CODE","matchType":"EXACT","visitorCode":"v"}}]}
  """

private let evaluationCases = """
  {"cases":[
  {"id":"no such file","df":"nowhere","visitor":"v","now":1,"steps":[]},
  {"id":"error expected","df":"empty","visitor":"v","now":1,"steps":[
   {"op":"getFeatureList","error":"featureNotFound"}]},
  {"id":"other error","df":"empty","visitor":"v","now":1,"steps":[
   {"op":"getVariation","featureKey":"x","error":"visitorCodeInvalid"}]},
  {"id":"no error expected","df":"empty","visitor":"v","now":1,"steps":[
   {"op":"getVariation","featureKey":"x","expect":{}}]},
  {"id":"unknown operation","df":"empty","visitor":"v","now":1,"steps":[{"op":"dance"}]},
  {"id":"right","df":"empty","visitor":"v","now":1,"steps":[
   {"op":"getFeatureList","expect":[]},
   {"op":"getVariation","featureKey":"x","error":"featureNotFound"}]}]}
  """

@Suite("Reports")
struct ReportTests {
  @Test("wrong hashes fail and are told with both values")
  func hashing() async throws {
    let folder = try TemporaryFolder(["hashing.json": hashingCases])
    let report = try await VectorFolder(path: folder.path).run()
    #expect(report.passed == 1)
    #expect(report.failed == 3)
    #expect(
      report.description == """
        hashing.json: 1 passed, 0 skipped, 3 failed
          case 2: expected bytes 29f5802259c2e15a, got d320bc1bd0224b7d
          case 3: expected 0.5, got 0.542711587347395
          case 4: the case does not have the documented columns
        total: 1 passed, 0 skipped, 3 failed
        """)
  }

  @Test("a wrong targeting result fails and is told with its tree")
  func targeting() async throws {
    let folder = try TemporaryFolder(["targeting.json": targetingCases])
    let file = try #require(try await VectorFolder(path: folder.path).run().files.first)
    #expect(file.passed == 1)
    #expect(file.differences.map(\.caseID) == ["wrong", "unknown data"])
    #expect(file.differences.first?.message.hasPrefix("expected false, got true\n") == true)
    #expect(file.differences.last?.message == "unknown data type \"mood\"")
  }

  @Test("wrong answers and errors of steps fail and are told with the step")
  func evaluation() async throws {
    let folder = try TemporaryFolder([
      "evaluation.json": evaluationCases, "datafiles/empty.json": "{}",
    ])
    let file = try #require(try await VectorFolder(path: folder.path).run().files.first)
    #expect(file.passed == 1)
    #expect(
      file.differences.map(\.message) == [
        "there is no data file \"nowhere\"",
        "step 1 (\"getFeatureList\"): expected the error featureNotFound, got []",
        "step 1 (\"getVariation\"): expected the error visitorCodeInvalid, got featureNotFound",
        "step 1 (\"getVariation\"): failed with featureNotFound",
        "unknown operation \"dance\"",
      ])
  }

  @Test("the JSON form has the same numbers")
  func json() async throws {
    let folder = try TemporaryFolder(["hashing.json": hashingCases])
    let value = try await VectorFolder(path: folder.path).run().jsonValue
    #expect(value["passed"] == 1)
    #expect(value["failed"] == 3)
    #expect(value["files"]?[0]?["file"] == "hashing.json")
    #expect(value["files"]?[0]?["differences"]?[0]?["case"] == "case 2")
  }
}

@Suite("Unusable folders")
struct UnusableFolderTests {
  @Test("a folder that is not there")
  func missing() async {
    await #expect(throws: ConformanceError.unreadableFolder(path: "/nowhere/at/all")) {
      try await VectorFolder(path: "/nowhere/at/all").run()
    }
  }

  @Test("a folder without vectors")
  func empty() async throws {
    let folder = try TemporaryFolder(["other.json": "{}", "notes.txt": ""])
    let path = folder.path
    await #expect(throws: ConformanceError.noVectors(path: path)) {
      try await VectorFolder(path: path).run()
    }
  }

  @Test("a file that is no JSON, with the place")
  func malformed() async throws {
    let folder = try TemporaryFolder(["hashing.json": "{\"cases\":\n[oops]}"])
    let path = folder.path
    let error = ConformanceError.unreadableFile(
      path: "\(path)/hashing.json",
      reason: "not valid JSON: unexpected byte at line 2, column 2 (byte 11)")
    await #expect(throws: error) { try await VectorFolder(path: path).run() }
  }

  @Test("a file without cases")
  func withoutCases() async throws {
    let folder = try TemporaryFolder(["targeting.json": "{\"cases\":[]}"])
    let path = folder.path
    let error = ConformanceError.unreadableFile(
      path: "\(path)/targeting.json", reason: "has no \"cases\"")
    await #expect(throws: error) { try await VectorFolder(path: path).run() }
    #expect(
      error.description
        == "\(path)/targeting.json: has no \"cases\"; fetch the vectors again")
  }

  @Test("a data file that is rejected")
  func rejectedDataFile() async throws {
    let folder = try TemporaryFolder([
      "evaluation.json": evaluationCases, "datafiles/broken.json": "[]",
    ])
    let path = folder.path
    await #expect(throws: ConformanceError.self) { try await VectorFolder(path: path).run() }
  }
}
