// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEmulator
import AnoleModels
import Foundation
import Testing

/// A change by the Swift API, and the same by the control endpoint.
struct EditCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let edit: @Sendable (Emulator) throws -> Int
  let json: String
  /// What stands in the file before, and instead of it afterwards.
  let before: String
  let after: String
}

let editCases: [EditCase] = [
  EditCase(
    testDescription: "switching off", edit: { try $0.setFlag("first", isEnabled: false) },
    json: #"{"flag": "first", "enabled": false}"#, before: #""environmentEnabled" :true"#,
    after: #""environmentEnabled" :false"#),
  EditCase(
    testDescription: "switching on what has no switch",
    edit: { try $0.setFlag("no switch", isEnabled: true) },
    json: #"{"flag": "no switch", "enabled": true}"#, before: #"{"id": 2, "featureKey"#,
    after: #"{"environmentEnabled": true, "id": 2, "featureKey"#),
  EditCase(
    testDescription: "the last of two flags with one key, in both of its places",
    edit: { try $0.setFlag("twin", isEnabled: true) },
    json: #"{"flag": "twin", "enabled": true}"#,
    before:
      #""id": 4, "featureKey": "twin", "environmentEnabled": false, "environmentEnabled": null"#,
    after: #""id": 4, "featureKey": "twin", "environmentEnabled": true, "environmentEnabled": true"#
  ),
  EditCase(
    testDescription: "an exposition",
    edit: { try $0.setExposition(0.25, ofRule: 11, inFlag: "first") },
    json: #"{"flag": "first", "rule": 11, "exposition": 0.25}"#, before: #""exposition": 1e0"#,
    after: #""exposition": 0.25"#),
  EditCase(
    testDescription: "an exposition that was missing",
    edit: { try $0.setExposition(1, ofRule: 12, inFlag: "first") },
    json: #"{"flag": "first", "rule": "12", "exposition": 1}"#,
    before: #"{"type": "TARGETED_DELIVERY""#,
    after: #"{"exposition": 1, "type": "TARGETED_DELIVERY""#),
  EditCase(
    testDescription: "one share of a split; the other keeps the form it was written in",
    edit: { try $0.setSplit([0.5, 0.125], ofRule: 11, inFlag: "first") },
    json: #"{"flag": "first", "rule": 11, "split": [0.5, 0.125]}"#, before: "5e-1",
    after: "0.125"),
]

/// A change that is refused.
struct RefusedEdit: Sendable, CustomTestStringConvertible {
  let json: String
  let status: Int
  let words: String
  init(_ json: String, _ status: Int, _ words: String) {
    self.json = json
    self.status = status
    self.words = words
  }
  var testDescription: String { json }
}

let refusedEdits: [RefusedEdit] = [
  RefusedEdit(#"{"enabled": true}"#, 400, "flag is missing"),
  RefusedEdit(#"{"flag": "first"}"#, 400, "enabled, exposition and split"),
  RefusedEdit(
    #"{"flag": "first", "enabled": true, "rule": 11, "exposition": 1}"#, 400, "Give one of"),
  RefusedEdit(#"{"flag": "first", "enabled": "yes"}"#, 400, "true or false"),
  RefusedEdit(#"{"flag": "First", "enabled": true}"#, 404, #"no flag "First""#),
  RefusedEdit(#"{"flag": "first", "exposition": 1}"#, 400, "rule is missing"),
  RefusedEdit(#"{"flag": "first", "rule": 99, "exposition": 1}"#, 404, "no rule 99"),
  RefusedEdit(#"{"flag": "first", "rule": 13, "exposition": 1}"#, 404, "2 rules 13"),
  RefusedEdit(#"{"flag": "first", "rule": 11, "exposition": 1.1}"#, 400, "from 0 to 1"),
  RefusedEdit(#"{"flag": "first", "rule": 11, "exposition": -0.1}"#, 400, "from 0 to 1"),
  RefusedEdit(#"{"flag": "first", "rule": 11, "exposition": 1e400}"#, 400, "must be a number"),
  RefusedEdit(#"{"flag": "first", "rule": 11, "split": [1]}"#, 400, "2 variations"),
  RefusedEdit(#"{"flag": "first", "rule": 11, "split": [0.6, 0.6]}"#, 400, "adds up to 1.2"),
  RefusedEdit(#"{"flag": "first", "rule": 11, "split": [2, -1]}"#, 400, "from 0 to 1"),
  RefusedEdit(#"{"flag": "first", "rule": 11, "split": ["1"]}"#, 400, "list of numbers"),
  RefusedEdit(#"{"flag": "first", "rule": 13.5, "exposition": 1}"#, 400, "integer"),
  RefusedEdit(#"{"flag": "first", "enabled": true, "environment": "e"}"#, 404, "No data file"),
  RefusedEdit(#"{"flag": "first", "enabled": true, "colour": 1}"#, 400, "colour"),
]

@Suite("Changes of flags")
struct FlagEditTests {
  private static let date = #""dateModified" : 1767225600000"#

  private func served(_ emulator: Emulator, _ target: String = "/v3/s") async throws -> WireAnswer {
    try await exchange(emulator.port, "GET", target)
  }

  @Test(
    "a change rewrites its value and the date, and leaves all else byte for byte",
    arguments: editCases)
  func edit(_ row: EditCase) async throws {
    let expected = oddDataFile.replacing(row.before, with: row.after)
      .replacing(Self.date, with: #""dateModified" : 1800000000000"#)
    #expect(oddDataFile.contains(row.before))
    let clock = WallClock { 1_800_000_000_000 }
    try await withEmulator(Emulator(wallClock: clock)) { emulator async throws in
      emulator.setDataFile(oddDataFile)
      #expect(try row.edit(emulator) == 0)
      #expect(try await served(emulator).text == expected)
      emulator.setDataFile(oddDataFile)
      let answer = try await control(emulator, "POST", "flag", row.json)
      #expect(answer["streams"] == 0)
      let file = try await served(emulator)
      #expect(file.text == expected)
      #expect(file.header("Last-Modified") == "Fri, 15 Jan 2027 08:00:00 GMT")
      #expect(answer["lastModified"] == "Fri, 15 Jan 2027 08:00:00 GMT")
    }
  }

  @Test("a change that changes nothing leaves the file, its date and the streams alone")
  func unchanged() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(oddDataFile, lastModified: "d")
      let (_, _) = try await openStream(emulator)
      #expect(try emulator.setFlag("first", isEnabled: true) == 0)
      #expect(try emulator.setSplit([0.5, 0.5], ofRule: 11, inFlag: "first") == 0)
      let file = try await served(emulator)
      #expect(file.text == oddDataFile)
      #expect(file.header("Last-Modified") == "d")
    }
  }

  @Test(
    "what cannot be changed is refused with a sentence, and the file stays", arguments: refusedEdits
  )
  func refused(_ row: RefusedEdit) async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(oddDataFile)
      let (status, json) = try await controlRequest(emulator, "POST", "flag", row.json)
      #expect(status == row.status)
      let sentence = try #require(json["error"]?.stringValue)
      #expect(sentence.hasSuffix(".") && sentence.contains(row.words), "\(sentence)")
      #expect(try await served(emulator).text == oddDataFile)
    }
  }

  @Test("errors of the Swift API have codes")
  func codes() throws {
    let emulator = Emulator()
    func code(_ body: () throws(FlagEditError) -> Void) -> FlagEditError.Code? {
      do throws(FlagEditError) {
        try body()
        return nil
      } catch {
        return error.code
      }
    }
    func on() throws(FlagEditError) { _ = try emulator.setFlag("first", isEnabled: true) }
    #expect(code(on) == .noFile)
    emulator.setDataFile("{ not JSON")
    #expect(code(on) == .unreadable)
    emulator.setDataFile(#"{"featureFlags": "none"}"#)
    #expect(code(on) == .notFound)
    emulator.setDataFile(oddDataFile)
    #expect(code(on) == nil)
    func share() throws(FlagEditError) {
      _ = try emulator.setExposition(.nan, ofRule: 11, inFlag: "first")
    }
    #expect(code(share) == .invalidValue)
    emulator.setDataFile(
      #"{"featureFlags": [{"featureKey": "first", "rules": [{"id": 1, "variationByExposition": 5}]}]}"#
    )
    func split() throws(FlagEditError) {
      _ = try emulator.setSplit([1], ofRule: 1, inFlag: "first")
    }
    #expect(code(split) == .unreadable)
    func remote() throws(FlagEditError) { try emulator.setRemoteFlag("a", isKilled: true) }
    #expect(code(remote) == .noFile)
  }

  @Test(
    "streams hear of a change, and each change within a second has a later date and another tag")
  func streams() async throws {
    let clock = WallClock { 1_800_000_000_500 }
    try await withEmulator(Emulator(wallClock: clock)) { emulator async throws in
      emulator.setDataFile(
        oddDataFile, lastModified: "Fri, 15 Jan 2027 08:00:00 GMT", entityTag: "\"a\"")
      let (wire, _) = try await openStream(emulator)
      #expect(try emulator.setFlag("first", isEnabled: false) == 1)
      let event = try await wire.read(through: "\n\n")
      #expect(event.contains("event: configuration-update-event\n"))
      #expect(event.hasSuffix("data: {\"ts\": 1800000000500}\n\n"))
      let first = try await served(emulator)
      #expect(first.header("Last-Modified") == "Fri, 15 Jan 2027 08:00:01 GMT")
      let tag = try #require(first.header("ETag"))
      #expect(tag != "\"a\"" && tag.hasPrefix("\"") && tag.hasSuffix("\""))
      #expect(try emulator.setFlag("first", isEnabled: true) == 1)
      let second = try await served(emulator)
      #expect(second.header("Last-Modified") == "Fri, 15 Jan 2027 08:00:02 GMT")
      #expect(second.header("ETag") != tag)
      #expect(second.text.contains(#""dateModified" : 1800000000501"#))
    }
  }

  @Test("a file is named by what it was set for; the only one needs no name")
  func files() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(oddDataFile, environment: "e", siteCode: "s")
      #expect(try emulator.setFlag("first", isEnabled: false) == 0)
      #expect(try await served(emulator, "/v3/s?environment=e").text.contains(":false"))
      emulator.setDataFile(oddDataFile, siteCode: "t")
      #expect(throws: FlagEditError.self) { try emulator.setFlag("first", isEnabled: true) }
      try emulator.setFlag("first", isEnabled: true, environment: "e", siteCode: "s")
      try emulator.setExposition(0.5, ofRule: 11, inFlag: "first", siteCode: "t")
      #expect(try await served(emulator, "/v3/s?environment=e").text.contains(":true"))
      #expect(try await served(emulator, "/v3/t").text.contains(#""exposition": 0.5,"#))
    }
  }

  @Test("changes from several tasks at once are all kept")
  func concurrent() async throws {
    let emulator = Emulator()
    let flags = (0..<40).map { #"{"featureKey": "f\#($0)", "environmentEnabled": false}"# }
    emulator.setDataFile(#"{"featureFlags": [\#(flags.joined(separator: ", "))]}"#)
    try emulator.start()
    defer { emulator.stop() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask { _ = try emulator.setFlag("f\(number)", isEnabled: true) }
      }
      try await group.waitForAll()
    }
    #expect(!(try await served(emulator).text.contains("false")))
  }

  @Test("remote flags are killed and switched; the rules keep their order")
  func remoteFlags() async throws {
    let rules =
      #"{"plan":true,"flags":[{"key":"a","rules":[{"id":"r"}]},{"key":"b","enabled":true}]}"#
    try await withEmulator { emulator async throws in
      try emulator.setRemoteFlags(rules)
      try emulator.setRemoteFlag("b", isKilled: true)
      try emulator.setRemoteFlag("b", isEnabled: false)
      var read = try await control(emulator, "GET", "remote-flags")
      #expect(
        read["applications"]?[0]?.text()
          == #"{"application":null,"rules":{"plan":true,"flags":["#
          + #"{"key":"a","rules":[{"id":"r"}]},{"key":"b","enabled":false,"killed":true}]}}"#)
      _ = try await control(emulator, "POST", "remote-flag", #"{"key": "b", "killed": false}"#)
      read = try await control(emulator, "GET", "flags")
      #expect(read["remoteFlags"]?[0]?["rules"]?["flags"]?[1]?["killed"] == false)
      for (body, status) in [
        (#"{"key": "c", "killed": true}"#, 404), (#"{"key": "b"}"#, 400),
        (#"{"key": "b", "killed": 1}"#, 400),
        (#"{"key": "b", "killed": true, "enabled": true}"#, 400),
        (#"{"key": "b", "killed": true, "application": "A"}"#, 404), (#"{"killed": true}"#, 400),
      ] {
        let (answer, json) = try await controlRequest(emulator, "POST", "remote-flag", body)
        #expect(answer == status, "\(body)")
        #expect(json["error"]?.stringValue?.hasSuffix(".") == true)
      }
    }
  }
}

extension JSONValue {
  /// The object without a member.
  fileprivate func removing(_ key: String) -> JSONValue {
    .object((objectValue ?? []).filter { $0.key != key })
  }
}
