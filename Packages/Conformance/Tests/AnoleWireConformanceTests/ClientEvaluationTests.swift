// SPDX-License-Identifier: Apache-2.0

import AnoleWireConformance
import Testing

/// The golden vectors that every evaluation must reproduce.
private let vectorFolder: String = {
  let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5)
  return parts.joined(separator: "/") + "/Tests/Fixtures/vectors"
}()

private let wrongCases = """
  {"cases":[
  {"id":"wrong value","df":"empty","visitor":"v","now":1,"steps":[
   {"op":"getFeatureList","expect":["x"]}]},
  {"id":"wrong error","df":"empty","visitor":"v","now":1,"steps":[
   {"op":"getVariation","featureKey":"x","error":"visitorCodeInvalid"}]},
  {"id":"no error","df":"empty","visitor":"v","now":1,"steps":[
   {"op":"getVariation","featureKey":"x","expect":{}}]},
  {"id":"not registered","df":"empty","visitor":"v","now":1,"steps":[
   {"op":"tracking","expect":{"registered":true,"events":[]}}]},
  {"id":"unknown operation","df":"empty","visitor":"v","now":1,"steps":[{"op":"dance"}]},
  {"id":"refused code","df":"empty","visitor":"","now":1,"steps":[{"op":"getFeatureList"}]},
  {"id":"right","df":"empty","visitor":"v","now":1,"steps":[
   {"op":"getFeatureList","expect":[]},
   {"op":"getVariation","featureKey":"x","error":"featureNotFound"}]}]}
  """

@Suite("Evaluation vectors by the client", .timeLimit(.minutes(5)))
struct ClientEvaluationTests {
  @Test("every case passes, or is skipped because iOS has no such call")
  func passes() async throws {
    let evaluation = ClientEvaluation(path: vectorFolder)
    #expect(evaluation.exists)
    let report = try await evaluation.run()
    #expect(report.failed == 0, "\(report)")
    #expect(report.passed == 3_534)
    let entry = try #require(report.entries.first)
    #expect(
      entry.skips.map(\.reason) == ["simulated variations are optional and have no call on iOS"])
    #expect(report.skipped == 66)
    #expect(
      Set(entry.decisions.map(\.section)) == ["public-api.md 2.5", "network.md 3.8"])
  }

  @Test("wrong answers, errors and operations fail and are told with the step")
  func wrong() async throws {
    let folder = try AlteredFolder(files: ["evaluation.json": wrongCases])
    try makeDataFile(in: folder.path)
    let entry = try #require(
      try await ClientEvaluation(path: folder.path).run().entries.first)
    #expect(entry.passed == 1)
    #expect(entry.failed == 6)
    #expect(
      entry.failures.map { "\($0.caseID): \($0.message)" } == [
        "wrong value: step 1 (\"getFeatureList\"): $: expected 1 elements, got 0: []",
        "wrong error: step 1 (\"getVariation\"): expected the error visitorCodeInvalid, "
          + "got featureNotFound",
        "no error: step 1 (\"getVariation\"): failed with featureNotFound",
        "not registered: step 1 (\"tracking\"): $.registered: expected true, got false",
        "unknown operation: unknown operation \"dance\"",
      ])
  }

  @Test("a folder without evaluation vectors is an error")
  func missing() async throws {
    let folder = try AlteredFolder(files: ["hashing.json": "{}"])
    let path = folder.path
    #expect(ClientEvaluation(path: path).exists == false)
    await #expect(throws: WireConformanceError.self) {
      try await ClientEvaluation(path: path).run()
    }
  }
}
