// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleDemoCLI

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A call that must survive a hostile environment.
struct Survivor: Sendable, CustomTestStringConvertible {
  let arguments: [String]
  let status: Int32
  init(_ arguments: String..., status: Int32 = 0) {
    self.arguments = arguments
    self.status = status
  }
  var testDescription: String { arguments.joined(separator: " ") }
}

/// Calls that print much, little, lines as they come, and documents.
let talkers = [
  Survivor("demo"), Survivor("help"), Survivor("quickstart"), Survivor("quickstart", "--json"),
  Survivor("explain", "checkout", "--visitor", "anna", "--json"),
  Survivor("watch", "checkout", "--changes", "0"), Survivor("serve"),
]

/// Calls without any home folder, and what becomes of them.
let homeless = [
  Survivor("quickstart"), Survivor("eval", "--visitor", "anna"),
  Survivor("watch", "checkout", "--changes", "0", "--json"),
  Survivor("cache", "show", status: 2), Survivor("track", "status", status: 2),
  Survivor("remote", "list", status: 2), Survivor("doctor", status: 1),
]

/// Calls that would write below a file, where nobody can.
let writers = [
  Survivor("track", "conversion", "1", "--json", status: 2), Survivor("track", "status", "--json"),
  Survivor("remote", "refresh", "--json"), Survivor("cache", "show", "--json", status: 0),
  Survivor("cache", "clear", "--yes", "--json"), Survivor("doctor", "--json", status: 1),
]

@Suite("The program survives")
struct SurvivalTests {
  @Test("a reader that has gone away", arguments: talkers)
  func brokenPipe(_ call: Survivor) throws {
    let program = try ChildProgram(call.arguments, to: .brokenPipe)
    #expect(program.waitForEnd() == .status(0))
    #expect(program.errors == "")
  }

  @Test("head -1")
  func head() throws {
    let program = try ChildProgram(["help"])
    #expect(program.line() == "usage: demo-cli [COMMAND] [ARGUMENT…] [OPTION…]")
  }

  @Test("a closed standard output, which no file or socket takes over", arguments: talkers)
  func closed(_ call: Survivor) throws {
    let program = try ChildProgram(call.arguments, to: .closed)
    let end = program.waitForEnd()
    // What says line by line just ends.
    let saysLines = ["watch", "serve"].contains(call.arguments[0])
    #expect(end == .status(saysLines ? 0 : ExitStatus.usage))
    if !saysLines {
      #expect(
        program.errors
          == "demo-cli: standard output: cannot be written (Bad file descriptor)\n")
    }
  }

  @Test("a full disk behind standard output", .enabled(if: access("/dev/full", W_OK) == 0))
  func full() throws {
    let program = try ChildProgram(["help"], to: .file("/dev/full"))
    #expect(program.waitForEnd() == .status(ExitStatus.usage))
    #expect(
      program.errors == "demo-cli: standard output: cannot be written (No space left on device)\n")
  }

  @Test("no home folder and no variables at all", arguments: homeless)
  func noHome(_ call: Survivor) throws {
    let program = try ChildProgram(call.arguments)
    let text = program.rest()
    #expect(program.waitForEnd() == .status(call.status), "\(program.errors)")
    if call.status == 0 { #expect(text != "" && program.errors == "") }
    if call.status == 2 {
      #expect(
        program.errors == "demo-cli: there is no home folder to keep events in; name one with "
          + "--store FOLDER\n")
    }
  }

  @Test("a state folder that cannot be made", arguments: writers)
  func unwritable(_ call: Survivor) throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    try "a file".write(toFile: folder + "/file", atomically: true, encoding: .utf8)
    let program = try ChildProgram(
      call.arguments, environment: ["XDG_STATE_HOME": folder + "/file/below", "HOME": "/"])
    let text = program.rest()
    #expect(program.waitForEnd() == .status(call.status), "\(program.errors)")
    #expect(throws: Never.self) { try JSONValue(parsing: text) }
    #expect(try String(contentsOfFile: folder + "/file", encoding: .utf8) == "a file")
  }

  @Test("Ctrl-C ends what goes on in order, with whole lines", arguments: ["serve", "watch"])
  func interrupted(_ command: String) throws {
    let operands = command == "watch" ? ["checkout"] : []
    let program = try ChildProgram([command] + operands + ["--json"])
    // The address, then the present answer.
    for _ in 0...operands.count {
      let line = try #require(program.line())
      #expect(throws: Never.self) { try JSONValue(parsing: line) }
    }
    program.send(SIGINT)
    #expect(program.rest() == "")
    #expect(program.waitForEnd() == .status(0))
    #expect(program.errors == "")
  }

  @Test("Ctrl-C ends long work at once, with a whole document or none", arguments: [true, false])
  func interruptedSimulation(_ isJSON: Bool) throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let program = try ChildProgram(
      ["simulate", "checkout", "--visitors", "10000000"] + (isJSON ? ["--json"] : []),
      environment: ["TERM": "xterm"], to: .fileBesideTerminal(folder + "/output"))
    try #require(program.wait(for: " % of 10,000,000 visitors"))
    program.send(SIGINT)
    #expect(program.rest().contains("demo-cli: interrupted; nothing more is done"))
    #expect(program.waitForEnd() == .status(ExitStatus.interrupted))
    let text = String(decoding: try InputFile.bytes(of: folder + "/output"), as: UTF8.self)
    if isJSON {
      #expect(try JSONValue(parsing: text)["error"]?["kind"] == "interrupted")
    } else {
      #expect(text == "")
    }
  }

  @Test("Ctrl-C before the changes that were asked for is told")
  func interruptedWatch() throws {
    let program = try ChildProgram(["watch", "checkout", "--changes", "3"])
    #expect(program.line()?.hasPrefix("the platform inside listens at http://127.0.0.1:") == true)
    #expect(program.line()?.contains("checkout: ") == true)
    program.send(SIGINT)
    #expect(program.waitForEnd() == .status(ExitStatus.interrupted))
    #expect(program.errors == "demo-cli: interrupted; nothing more is done\n")
  }

  @Test(
    "a proxy of the environment, which no request to this computer goes through",
    arguments: [["quickstart"], ["demo"], ["watch", "checkout", "--changes", "0"]])
  func proxy(_ arguments: [String]) throws {
    // Nobody listens there.
    let program = try ChildProgram(
      arguments, environment: ["http_proxy": "http://127.0.0.1:9", "ALL_PROXY": "127.0.0.1:9"])
    #expect(program.rest() != "")
    #expect(program.waitForEnd() == .status(0), "\(program.errors)")
  }

  @Test("a server that cannot be reached is a failure of the network")
  func unreachable() throws {
    // Nobody listens at the port for echo here.
    let program = try ChildProgram([
      "watch", "checkout", "--endpoint", "http://127.0.0.1:7", "--timeout", "300", "--json",
    ])
    let document = try JSONValue(parsing: program.rest())
    #expect(document["error"]?["kind"] == "network")
    #expect(program.waitForEnd() == .status(ExitStatus.network))
  }

  @Test("40 columns: no line of words is wider, in colour or without", arguments: [true, false])
  func narrow(_ isPlain: Bool) throws {
    let variables = isPlain ? ["NO_COLOR": "1"] : ["TERM": "xterm"]
    let program = try ChildProgram(
      ["quickstart"], environment: variables, to: .terminal(columns: 40))
    let text = program.rest()
    #expect(program.waitForEnd() == .status(0))
    #expect(text.contains("\u{1B}[") != isPlain)
    // The terminal ends lines by both.
    let lines = text.replacing(/\x{1B}\[\d+m/, with: "").split(separator: "\r\n")
    #expect(lines.count > 60)
    for line in lines where line.count > 40 {
      // A word that is too wide stays whole.
      #expect(!line.drop { $0 == " " }.contains(" "), "\(line)")
    }
  }

  @Test("a document on a terminal of 40 columns stays as it is")
  func narrowDocument() throws {
    let program = try ChildProgram(
      ["explain", "checkout", "--visitor", "anna", "--json"], environment: ["TERM": "xterm"],
      to: .terminal(columns: 40))
    let text = program.rest().replacing("\r\n", with: "\n")
    #expect(throws: Never.self) { try JSONValue(parsing: text) }
  }

  @Test(
    "any locale: the bytes are the same",
    arguments: [
      ["explain", "checkout", "--visitor", "Zoë-日本"], ["simulate", "checkout"], ["help"],
      ["eval", "--visitor", "anna", "--json"], ["eval", "--visitor", "anna", "--device", "größe"],
    ])
  func locale(_ arguments: [String]) throws {
    let settings: [[String: String]] = [
      ["LANG": "C.UTF-8"], ["LANG": "C"], ["LC_ALL": "C"], ["LC_ALL": "de_DE.ISO-8859-1"], [:],
    ]
    let fixed = arguments[0] == "eval" ? ["--now", "1767225600000"] : []
    let results = try settings.map { variables in
      let program = try ChildProgram(arguments + fixed, environment: variables)
      let text = program.rest()
      return "\(text)\(program.waitForEnd())\(program.errors)"
    }
    #expect(Set(results).count == 1)
    #expect(results[0] != "")
  }
}
