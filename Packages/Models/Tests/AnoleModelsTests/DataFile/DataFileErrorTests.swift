// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@Suite("Data files that are rejected as a whole")
struct DataFileErrorTests {
  @Test(
    "text that is not JSON is rejected with its place", arguments: ["", "{", "{\"a\":01}", "{}x"])
  func malformed(_ text: String) throws {
    let error = try #require(#expect(throws: DataFileError.self) { try read(text) })
    guard case .malformed(let cause) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(
      error.description == "data file: \(cause); fetch it again or mend it at that place")
    #expect(error.description.contains("line 1, column \(cause.column)"))
  }

  @Test("a root that is no object is rejected", arguments: ["null", "[]", "1", "\"{}\"", "true"])
  func root(_ text: String) throws {
    let error = #expect(throws: DataFileError.self) { try read(text) }
    #expect(error == .rootIsNotAnObject)
    #expect(
      error?.description
        == "data file: the root must be a JSON object; check that the address serves a data file")
  }

  @Test("flags that are no list are rejected", arguments: ["{}", "1", "\"[]\"", "true"])
  func flags(_ value: String) throws {
    let error = #expect(throws: DataFileError.self) { try read("{\"featureFlags\":\(value)}") }
    #expect(error == .featureFlagsIsNotAList)
    #expect(
      error?.description
        == "data file: \"featureFlags\" must be a list; check the file's format version (v3)")
  }

  @Test("an error anywhere in the text rejects the file, also inside of what is ignored")
  func deepErrors() {
    for text in [
      #"{"unknown":[1,]}"#, #"{"segments":[{"id":1,"conditionsData":{"a":nul}}]}"#,
      #"{"featureFlags":[{"id":"x","y":01}]}"#, "{\"featureFlags\":[\"\u{1}\"]}",
    ] {
      #expect(throws: DataFileError.self, "\(text)") { try read(text) }
    }
  }
}
