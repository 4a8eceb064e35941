// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleWireRecordings
import Testing

/// A document that is no recording, and what is said about it.
struct UnreadableRecording: Sendable, CustomTestStringConvertible {
  let text: String
  let message: String
  var testDescription: String { message }
}

let unreadableRecordings: [UnreadableRecording] = [
  UnreadableRecording(text: "{}", message: "\"name\" of the recording is no text"),
  UnreadableRecording(
    text: #"{"name":"x","siteCode":"s","steps":[],"exchanges":[]}"#,
    message: "the recording has no steps or no exchanges"),
  UnreadableRecording(
    text: #"{"name":"x","siteCode":"s","steps":[{"op":"dance"}],"exchanges":[]}"#,
    message: #"step 1: unknown operation "dance""#),
  UnreadableRecording(
    text:
      #"{"name":"x","siteCode":"s","steps":[{"op":"waitReady"}],"exchanges":[{"endpoint":"x"}]}"#,
    message: "exchange 0: unknown endpoint \"x\""),
  UnreadableRecording(
    text: """
      {"name":"x","siteCode":"s","steps":[{"op":"waitReady"}],"exchanges":[{"endpoint":"config",
      "request":{"method":"GET","scheme":"https","host":"h","path":"/v3/s"},"response":{}}]}
      """,
    message: "exchange 0: the answer has neither a status nor \"drop\""),
  UnreadableRecording(
    text: """
      {"name":"x","siteCode":"s","steps":[{"op":"waitReady"}],"exchanges":[{"endpoint":"config",
      "request":{"method":"GET","scheme":"https","host":"h","path":"/v3/s"},
      "response":{"status":200,"bodyFile":"gone.json"}}]}
      """,
    message: "gone.json cannot be read"),
]

@Suite("Reading recordings")
struct ReadingTests {
  @Test(
    "a document that is no recording is refused with the place", arguments: unreadableRecordings)
  func refused(_ item: UnreadableRecording) throws {
    let json = try JSONValue(parsing: item.text)
    #expect(throws: WireFormatError(item.message)) {
      try WireRecording(json, bodies: RecordingFolder.bytes)
    }
  }

  @Test("values that were shortened have their length again, and summaries their lines")
  func shortened() throws {
    let recording = try RecordingFolder.recording("batch_size_limit")
    let value = recording.steps[1].fields["data"]?[0]?["values"]?[0]?.stringValue
    #expect(value?.utf8.count == 1_400_000)
    let lines = recording.exchanges.dropFirst().map { $0.request.lines ?? [] }
    #expect(lines.map(\.count) == [2, 1])
    #expect(lines[1][0].text.utf8.count > 1_400_000)
  }

  @Test("visitors and their identifiers are found in the steps")
  func visitors() throws {
    let recording = try RecordingFolder.recording("identity_unique_identifier_mapped")
    #expect(recording.visitorCodes == ["anon-1", "user-42"])
    #expect(recording.uniqueIdentifiers == ["user-42"])
  }
}

@Suite("Decisions")
struct DecisionTests {
  @Test("every decision names a recording and a part of it that exist")
  func applicable() throws {
    for decision in WireDecision.table {
      var recording = try RecordingFolder.recording(decision.recording)
      #expect(try recording.apply([decision]) == [decision])
      #expect(decision.section.contains(".md "))
    }
  }

  @Test("what was recorded is not accepted any more where the specification decides otherwise")
  func strict() throws {
    for name in ["track_exposure_untracked_after_tracked", "track_holdout_untracked"] {
      var recording = try RecordingFolder.recording(name)
      let recorded = FaithfulClient.requests(recording)
      #expect(try recording.apply(WireDecision.table).count == 1)
      #expect(try findings(recorded, in: recording).isEmpty == false)
      #expect(try findings(FaithfulClient.requests(recording), in: recording) == [])
    }
  }

  @Test("an exchange that is left out is not waited for")
  func leftOut() throws {
    var recording = try RecordingFolder.recording("track_instant_flush_then_interval")
    _ = try recording.apply(WireDecision.table)
    #expect(recording.exchanges.count == 2)
    let waiting = try #require(recording.steps.last { $0.operation == .awaitRequests })
    #expect(try waiting.integer("count") == 1)
  }
}
