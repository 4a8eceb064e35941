// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels
import AnoleNetworking
import Testing

@testable import AnoleDemoCLI

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file of calls and what they print: `$ demo-cli …`, then standard output as it comes, standard
/// error behind `! `, and the exit status behind `? ` where it is not 0.
///
/// Paths in the calls are those of files in the folder of fixtures. `$FOLDER` stands for a folder that
/// is empty at first, `$ENDPOINT` for the address of an emulator that serves the built-in shop, `PORT` for
/// the port of one inside the program, `NONCE` for that of an event, `DEVICE` for the id of a device.
struct Transcript {
  let path: String
  /// The text as it should be.
  let expected: String

  init(_ name: String) throws {
    path = "\(Place.fixtures)/Transcripts/\(name).txt"
    expected = try String(contentsOfFile: path, encoding: .utf8)
  }

  /// The names of all transcripts.
  static var names: [String] {
    let folder = Place.fixtures + "/Transcripts"
    // An unreadable folder gives no names, which a test tells.
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
  }

  /// Runs all calls; the text as it is.
  func run() async throws -> String {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let emulator = Emulator()
    emulator.setDataFile(ShopDataFile.text, lastModified: HTTPDate.text(testTime))
    try emulator.start()
    defer { emulator.stop() }
    let endpoint = try #require(emulator.baseURL)
    var text = ""
    for call in expected.split(separator: "\n") where call.hasPrefix("$ demo-cli") {
      text += "\(call)\n"
      let words = Self.words(call.dropFirst("$ demo-cli".count)).map {
        $0.replacing("$FOLDER", with: folder).replacing("$ENDPOINT", with: endpoint)
      }
      text += Self.neutral(
        await Self.run(words).replacing(folder, with: "$FOLDER")
          .replacing(endpoint, with: "$ENDPOINT"))
    }
    return text
  }

  /// Runs one call; all it says, each stream in its own form.
  private static func run(_ arguments: [String]) async -> String {
    let said = Said()
    let environment = environment(say: said.add)
    let output = await Program.run(arguments, in: environment)
    var text = said.lines.map { "\($0)\n" }.joined() + output.text
    for remark in output.remarks { text += "! \(remark)\n" }
    if output.status != 0 { text += "? \(output.status)\n" }
    return text
  }

  /// The text without what differs from run to run.
  private static func neutral(_ text: String) -> String {
    text.replacing(/(127\.0\.0\.1:|\[::1\]:)\d{5}\b/) { "\($0.1)PORT" }
      .replacing(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/, with: "DEVICE")
      .replacing(/after \d+ ms/, with: "after N ms")
      .replacing(/nonce=[0-9A-F]{16}/, with: "nonce=NONCE")
      .replacing(/userAgent=(?!demo-cli)[^&\s"]+/, with: "userAgent=AGENT")
      .replacing(/\d+ bytes \(gzip\)/, with: "N bytes (gzip)")
      .replacing(/"(sentBytes|bytesOnDisk)": \d+/) { "\"\($0.1)\": 0" }
      .replacing(/on disk( +)[\d,]+ bytes/) { "on disk\($0.1)N bytes" }
      .replacing(/[\d,]+ MiB free/, with: "N MiB free")
      .replacing(/built with Swift [^"\n]+/, with: "built with Swift VERSION")
      .replacing(/ok( +)(libcurl|zlib|SQLite|patterns|libmicrohttpd)( +)[^\n]+/) {
        "ok\($0.1)\($0.2)\($0.3)VERSION"
      }
      .replacing(/"text": "(\d+\.|PCRE2)[^"]+"/, with: "\"text\": \"VERSION\"")
  }

  /// The words of a call; single quotes keep a word together.
  private static func words(_ call: Substring) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in call {
      switch character {
      case "'":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}

@Suite("Transcripts")
struct TranscriptTests {
  @Test("say what the program says", arguments: Transcript.names)
  func transcript(_ name: String) async throws {
    let transcript = try Transcript(name)
    let text = try await transcript.run()
    guard ProcessInfo.processInfo.environment["ANOLE_RECORD_TRANSCRIPTS"] == nil else {
      try text.write(toFile: transcript.path, atomically: true, encoding: .utf8)
      return
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let expected = transcript.expected.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, (line, wanted)) in zip(lines, expected).enumerated() where line != wanted {
      Issue.record("\(name).txt, line \(number + 1): expected \"\(wanted)\", found \"\(line)\"")
      return
    }
    #expect(text == transcript.expected)
  }

  @Test("there is one for every command, with text, JSON and a mistake")
  func complete() throws {
    for command in Program.commands {
      let calls = try Transcript(command.name).expected.split(separator: "\n")
      let own = calls.filter { $0.hasPrefix("$ demo-cli \(command.name)") }
      #expect(own.contains { $0.contains("--json") }, "\(command.name): JSON is missing")
      #expect(own.contains { !$0.contains("--json") }, "\(command.name): text is missing")
      #expect(calls.contains { $0.hasPrefix("? ") }, "\(command.name): a mistake is missing")
    }
  }

  @Test("every document in them is JSON")
  func documents() async throws {
    for name in Transcript.names {
      var document = ""
      var isDocument = false
      func check() throws {
        guard isDocument, !document.isEmpty else { return }
        // One document, or one a line.
        if (try? JSONValue(parsing: document)) == nil {
          for line in document.split(separator: "\n") {
            #expect((try? JSONValue(parsing: String(line))) != nil, "\(name): \(line)")
          }
        }
      }
      for line in try Transcript(name).expected.split(separator: "\n") {
        if line.hasPrefix("$ ") {
          try check()
          document = ""
          isDocument = line.contains("--json")
        } else if !line.hasPrefix("! "), !line.hasPrefix("? ") {
          document += "\(line)\n"
        }
      }
      try check()
    }
  }
}
