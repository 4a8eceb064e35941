// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleWireConformance
import Foundation
import Testing

/// A folder with changed recordings that is removed at the end.
struct AlteredFolder: ~Copyable {
  let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("anole-wire-\(UUID().uuidString)").path

  /// - Parameters:
  ///   - name: the recording.
  ///   - change: changes its text.
  init(_ name: String, change: (String) throws -> String) throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    try manager.copyItem(atPath: "\(recordingFolder)/datafiles", toPath: "\(path)/datafiles")
    let data = try #require(manager.contents(atPath: "\(recordingFolder)/\(name).json"))
    let text = try change(String(decoding: data, as: UTF8.self))
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name).json"))
  }

  /// A folder with files of its own.
  init(files: [String: String]) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
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

/// A recording with one change, which the client then does not fulfil.
struct AlteredRecording: Sendable, CustomTestStringConvertible {
  let recording: String
  let text: String
  let replacement: String
  /// A part of the difference that is told.
  let difference: String
  var testDescription: String { "\(recording): \(replacement)" }
}

let alteredRecordings: [AlteredRecording] = [
  AlteredRecording(
    recording: "track_conversions", text: "goalId=102", replacement: "goalId=9102",
    difference: "tracking request 1: missing line: conversion goalId=9102"),
  AlteredRecording(
    recording: "track_conversions", text: "revenue=19.99", replacement: "revenue=19.98",
    difference: "revenue: expected \"19.98\", got \"19.99\""),
  AlteredRecording(
    recording: "remote_data", text: "\"host\": \"data.kameleoon.io\"",
    replacement: "\"host\": \"data.kameleoon.eu\"",
    difference: "host: expected data.kameleoon.eu, got data.kameleoon.io"),
  AlteredRecording(
    recording: "track_exposure_interval", text: "\"id\": 70011", replacement: "\"id\": 70012",
    difference: "step 2 (getVariation): $.id: expected 70012, got 70011"),
  AlteredRecording(
    recording: "track_activity_event", text: "\"count\": 1", replacement: "\"count\": 2",
    difference: "only 1 of 2 tracking requests came"),
  AlteredRecording(
    recording: "failure_429", text: "\"msAfterPreviousSameEndpoint\": 5000",
    replacement: "\"msAfterPreviousSameEndpoint\": 9000", difference: "came 5000 ms after"),
  AlteredRecording(
    recording: "config_fetch_304", text: "\"If-Modified-Since\": \"Mon",
    replacement: "\"If-Modified-Since\": \"Tue", difference: "header If-Modified-Since"),
  AlteredRecording(
    recording: "sse_update", text: "\"op\": \"updateHandlerCalls\",\n   \"result\": 1",
    replacement: "\"op\": \"updateHandlerCalls\",\n   \"result\": 0",
    difference: "(updateHandlerCalls): $: expected 0, got 1"),
  AlteredRecording(
    recording: "track_exposure_repeated", text: "nonce={NONCE_2}", replacement: "nonce={NONCE_1}",
    difference: "the nonce of an event sent again changed"),
  AlteredRecording(
    recording: "failure_403_counts_as_sent", text: "\"status\": 403",
    replacement: "\"status\": 500",
    difference: "one request more than recorded: POST /visit/events"),
  AlteredRecording(
    recording: "token_short_lived", text: "\"expires_in\": 60", replacement: "\"expires_in\": 7200",
    difference: "remoteData request 2: header Authorization: expected \"Bearer TOKEN_B\""),
  AlteredRecording(
    recording: "consent_partial", text: "\"consent\": false", replacement: "\"consent\": true",
    difference: "step 4 (getVariation)"),
  AlteredRecording(
    recording: "remote_visitor_data_default", text: "\"visitNumber\": 4,\n     \"previousVisits\"",
    replacement: "\"visitNumber\": 5,\n     \"previousVisits\"",
    difference: "$.visits.visitNumber: expected 5, got 4"),
]

@Suite("Altered recordings", .timeLimit(.minutes(5)))
struct AlteredRecordingTests {
  @Test("a client that does not fulfil a recording fails it", arguments: alteredRecordings)
  func caught(_ altered: AlteredRecording) async throws {
    let folder = try AlteredFolder(altered.recording) { text in
      let changed = text.replacing(altered.text, with: altered.replacement)
      try #require(changed != text, "\(altered.text) does not occur")
      return changed
    }
    let report = try await WireFolder(path: folder.path).run()
    let entry = try #require(report.entries.first)
    #expect(entry.failed == 1 && entry.passed == 0)
    let message = try #require(entry.failures.first?.message)
    #expect(message.contains(altered.difference), "\(message)")
    #expect(report.description.contains("\(altered.recording): failed\n"))
  }

  @Test("a wrong value of a list is told with its case")
  func wrongValue() async throws {
    let folder = try AlteredFolder("vectors_hosts") {
      $0.replacing("eu-data.example.com", with: "data.example.com")
    }
    let report = try await WireFolder(path: folder.path).run()
    #expect(report.passed == 8 && report.failed == 1)
    let failure = try #require(report.entries.first?.failures.first)
    #expect(failure.caseID.hasPrefix("case 7 "))
    #expect(failure.message == "data: expected data.example.com, got eu-data.example.com")
  }

  @Test("a list that is not known is skipped with the reason")
  func unknownList() async throws {
    let folder = try AlteredFolder(files: ["vectors_moods.json": #"{"cases": [1, 2]}"#])
    let report = try await WireFolder(path: folder.path).run()
    #expect(report.skipped == 2 && report.passed == 0 && report.failed == 0)
    #expect(report.description.hasPrefix("vectors_moods: 0 passed, 2 skipped, 0 failed\n"))
    #expect(report.jsonValue["files"]?[0]?["skips"]?[0]?["count"] == 2)
  }
}

@Suite("Unusable folders of recordings")
struct UnusableRecordingTests {
  @Test("a folder that is not there")
  func missing() async {
    #expect(WireFolder(path: "/nowhere/at/all").holdsRecordings == false)
    await #expect(throws: WireConformanceError.unreadableFolder(path: "/nowhere/at/all")) {
      try await WireFolder(path: "/nowhere/at/all").run()
    }
  }

  @Test("a folder without recordings")
  func empty() async throws {
    let folder = try AlteredFolder(files: ["hashing.json": #"{"cases": []}"#, "notes.txt": "x"])
    let path = folder.path
    #expect(WireFolder(path: path).holdsRecordings == false)
    await #expect(throws: WireConformanceError.noRecordings(path: path)) {
      try await WireFolder(path: path).run()
    }
  }

  @Test("a recording that names a file outside of its folder")
  func outside() async throws {
    let folder = try AlteredFolder("config_fetch_fresh") {
      $0.replacing("datafiles/base.json", with: "../base.json")
    }
    let path = folder.path
    let error = WireConformanceError.unreadableFile(
      path: "\(path)/config_fetch_fresh.json",
      reason: "the body file ../base.json lies outside of the folder")
    await #expect(throws: error) { try await WireFolder(path: path).run() }
    #expect(error.description.hasSuffix("; fetch the recordings again"))
  }

  @Test("a file that is no JSON")
  func malformed() async throws {
    let folder = try AlteredFolder(files: ["vectors_hosts.json": "{"])
    let path = folder.path
    await #expect(throws: WireConformanceError.self) { try await WireFolder(path: path).run() }
  }
}

/// Puts a data file without flags beside the vectors of a folder.
func makeDataFile(in path: String) throws {
  let folder = "\(path)/datafiles"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  try Data(#"{"featureFlags": []}"#.utf8).write(to: URL(fileURLWithPath: "\(folder)/empty.json"))
}
