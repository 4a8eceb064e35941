// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleDemoCLI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("The program")
struct ProgramTests {
  @Test("runs the demonstration")
  func demonstration() async throws {
    let output = await run("demo")
    #expect(output.status == 0)
    #expect(output.remarks == [])
    let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count < 130)
    #expect(!output.text.contains("\u{1b}"))
    for part in [
      "1. Several visitors", "2. Why", "3. The same visitor", "4. The split among 100,000",
      "5. A change arrives", "6. What to try next", "Before: \"two_steps\". Now: \"one_page\".",
    ] {
      #expect(output.text.contains(part), "\(part)")
    }
  }

  @Test("the demonstration as JSON")
  func demonstrationJSON() async throws {
    let document = try await runJSON("demo")
    #expect(document["visitors"]?.arrayValue?.count == 5)
    #expect(document["explanation"]?["outcome"]?["variation"] == "two_steps")
    #expect(document["explanationWithGoldPlan"]?["outcome"]?["variation"] == "one_page")
    #expect(document["simulation"]?["visitors"] == 100_000)
    #expect(document["change"]?["before"] == "two_steps")
    #expect(document["change"]?["after"] == "nothing: the flag is switched off")
    #expect(document["change"]?["steps"]?.arrayValue?.count == 6)
  }

  @Test("every command that the demonstration suggests works")
  func suggestions() async {
    let prefix = "  scripts/demo-cli "
    let lines = await run("demo").text.split(separator: "\n").filter { $0.hasPrefix(prefix) }
    let all = Demonstration.suggestions + Demonstration.serverSuggestions
    #expect(lines.map(String.init) == all)
    for line in lines.dropLast(Demonstration.serverSuggestions.count) {
      let typed = line.dropFirst(prefix.count).prefix { $0 != "#" }.split(separator: " ")
      let arguments = typed.map {
        String($0).replacing("Tests/Fixtures/vectors", with: Place.vectors)
      }
      // 1 is the answer of lint, which finds something.
      #expect(await Program.run(arguments, in: environment()).status < 2, "\(line)")
    }
  }

  @Test("shows its version")
  func version() async throws {
    #expect(await run("--version") == Output(lines: ["demo-cli 0.1.0"]))
    #expect(try await runJSON("--version") == ["name": "demo-cli", "version": "0.1.0"])
  }

  @Test("help, --help and -h say the same; each command has its own")
  func help() async throws {
    #expect(await run("help") == run("--help"))
    #expect(await run("help") == run("-h"))
    for command in Program.commands {
      let help = await run(command.name, "--help")
      #expect(help.text.hasPrefix("usage: demo-cli \(command.name)"))
      #expect(help.status == 0)
      #expect(await run("help", command.name) == help)
      #expect(await run("help").text.contains("  \(command.name)"))
      #expect(help.text.split(separator: "\n").allSatisfy { $0.count <= 110 })
    }
    #expect(try await runJSON("help", "eval")["help"]?[0] != nil)
  }

  @Test("runs the golden vectors")
  func conformance() async throws {
    let output = await run("conformance", Place.vectors)
    #expect(output.text.hasSuffix("total: 8334 passed, 0 skipped, 0 failed\n"))
    #expect(output.status == 0)
    #expect(try await runJSON("conformance", Place.vectors)["passed"] == 8334)
  }

  @Test("a failed vector ends the run with 1 and is told")
  func failedVector() async throws {
    let output = await run("conformance", Place.fixtures + "/failing-vectors")
    #expect(output.text.hasPrefix("hashing.json: 1 passed, 0 skipped, 1 failed\n  "))
    #expect(output.status == 1)
    let report = try await runJSON("conformance", Place.fixtures + "/failing-vectors")
    #expect(report["failed"] == 1)
  }
}

private let shop = "the built-in shop"

let wrongCalls: [WrongCall] = [
  WrongCall(["evla"], "there is no command \"evla\"; did you mean eval?"),
  WrongCall(
    ["xyzzy"],
    "there is no command \"xyzzy\"; demo-cli help lists them"),
  WrongCall(["help", "simulat"], "there is no command \"simulat\"; did you mean simulate?"),
  WrongCall(["help", "a", "b"], "expected one command, found 2: \"a\" and \"b\""),
  WrongCall(
    ["demo", "x"], "the demonstration takes no arguments; demo-cli eval decides for a visitor"),
  WrongCall(
    ["--json", "eval"],
    "options go behind the command; write demo-cli eval …, or demo-cli help"),
  WrongCall(["--jsn"], "there is no option \"--jsn\"; did you mean --json?"),
  WrongCall(["-x"], "there is no option \"-x\"; --help lists the options"),
  WrongCall(["eval", "-xh"], "there is no option \"-xh\"; --help lists the options"),
  WrongCall(["eval", "--json=1"], "--json takes no value; write it alone"),
  WrongCall(["eval", "--visitor"], "--visitor needs a value: --visitor CODE"),
  WrongCall(
    ["eval", "--custo", "1=2"], "\"--custo\" is ambiguous; write --custom or --custom-name"),
  WrongCall(
    ["eval"], "--visitor is missing; say whom to decide for: demo-cli eval --visitor anna"),
  WrongCall(["eval", "--visitor", ""], "--visitor wants 1 to 255 characters"),
  WrongCall(
    ["eval", "chekout", "--visitor", "a"], "\(shop) has no flag \"chekout\"; did you mean checkout?"
  ),
  WrongCall(
    ["explain", "zzz", "--visitor", "a"],
    "\(shop) has no flag \"zzz\"; it has express_delivery, checkout, summer_sale, free_gift and "
      + "old_search"),
  WrongCall(["explain"], "explain needs a flag; write demo-cli explain FLAG --visitor anna"),
  WrongCall(
    ["explain", "a", "b", "--visitor", "c"], "expected one flag, found 2: \"a\" and \"b\""),
  WrongCall(["diff"], "diff needs two data files; write demo-cli diff OLD NEW"),
  WrongCall(["diff", "a", "b", "c"], "diff needs two data files; write demo-cli diff OLD NEW"),
  WrongCall(
    ["diff", "-", "-"],
    "standard input can be one of the files only; give the path of the other"),
  WrongCall(
    ["simulate", "checkout", "--share", "device=fridge:1"],
    "--share: device is one of phone, tablet, desktop, not \"fridge\""),
  WrongCall(
    ["simulate", "checkout", "--share", "custom:plna=gold:1"],
    "no custom data is named \"plna\" in the data file; check the name, or give the index"),
  WrongCall(
    ["simulate", "checkout", "--visitors", "0"],
    "--visitors wants a whole number from 1 to 10000000, not \"0\""),
  WrongCall(
    ["simulate", "checkout", "--visitors", "10000001"],
    "--visitors wants a whole number from 1 to 10000000, not \"10000001\""),
  WrongCall(
    ["simulate", "checkout", "--prefix", String(repeating: "x", count: 250)],
    "--prefix is too long; with its number a code has at most 255 characters"),
  WrongCall(
    ["eval", "--visitor", "a", "--custom", "pro"], "--custom wants INDEX=VALUE, not \"pro\""),
  WrongCall(
    ["eval", "--visitor", "a", "--custom", "plan=pro"],
    "--custom wants an index from 0, not \"plan\"; --custom-name takes names"),
  WrongCall(
    ["eval", "--visitor", "a", "--custom-name", "plam=pro"],
    "\(shop) declares no custom data named \"plam\"; did you mean plan?"),
  WrongCall(
    ["eval", "--visitor", "a", "--device", "fridge"],
    "--device is phone, tablet or desktop, not \"fridge\""),
  WrongCall(
    ["eval", "--visitor", "a", "--os", "os/2"],
    "--os is windows, mac, ios, linux, android or windows_phone, not \"os/2\""),
  WrongCall(
    ["eval", "--visitor", "a", "--city", "Paris"],
    "--region and --city need --country as well"),
  WrongCall(
    ["eval", "--visitor", "a", "--app-version", "new"],
    "--app-version wants a version such as 2.10.1, not \"new\""),
  WrongCall(
    ["eval", "--visitor", "a", "--consent", "maybe"],
    "--consent is given or refused, not \"maybe\""),
  WrongCall(
    ["eval", "--visitor", "a", "--now", "today"],
    "--now wants a whole number from 0 to 253402300799999, not \"today\""),
  WrongCall(
    ["eval", "--visitor", "a", "--utc-offset", "99999999999999999999"],
    "--utc-offset wants a whole number from -86400 to 86400, not \"99999999999999999999\""),
  WrongCall(
    ["eval", "--visitor", "a", "--force", "x=on"],
    "--force wants the id of an experiment, not \"x\""),
  WrongCall(
    ["eval", "--visitor", "a", "--force", "900109=on"],
    "\(shop) has no experiment 900109; did you mean 900101, 900102 or 900103?"),
  WrongCall(
    ["eval", "--visitor", "a", "--force", "900103=one-page"],
    "experiment 900103 has no variation \"one-page\"; did you mean one_page?"),
  WrongCall(
    ["conformance"], "conformance needs a folder of vectors; write demo-cli conformance DIR"),
  WrongCall(
    ["conformance", "/nowhere"],
    "/nowhere: no such folder, or no permission to read it; name a folder of vectors"),
  WrongCall(
    ["conformance", Place.fixtures],
    "\(Place.fixtures): holds none of hashing.json, targeting.json, evaluation.json; "
      + "name a folder of vectors"),
  WrongCall(["lint", "/nowhere/f"], "/nowhere/f: there is no such file; check the path"),
  WrongCall(["lint", ""], "the file's name is empty; name a file, or -"),
  WrongCall(
    ["eval", "--visitor", "a", "--data-file", Place.fixtures],
    "\(Place.fixtures): is a folder; name a file in it"),
  WrongCall(["lint", "a", "b"], "expected one file, found 2: \"a\" and \"b\""),
  WrongCall(
    ["lint", "/dev/zero"], "/dev/zero: is larger than 256 MiB; that is no data file",
    status: ExitStatus.data),
]

/// The content of a file that is no data file.
let unreadableFiles: [WrongCall] = [
  WrongCall([""], "f: is empty; a data file is one JSON object"),
  WrongCall(
    ["{\n  \"a\": tru\n}"],
    "f: not valid JSON: unexpected byte at line 2, column 11 (byte 12); mend it at that place"),
  WrongCall(
    ["\u{0}\u{1}"],
    "f: not valid JSON: unexpected byte at line 1, column 1 (byte 0); mend it at that place"),
  WrongCall(
    [String(repeating: "[", count: 10_000_000)],
    "f: not valid JSON: arrays and objects nested too deeply at line 1, column 513 (byte 512); "
      + "mend it at that place"),
  WrongCall(["[]"], "f: the root is not a JSON object; check that it is a data file"),
  WrongCall(
    [#"{"featureFlags": {}}"#],
    "f: \"featureFlags\" is not a list; check the format version (v3)"),
]

@Suite("Wrong use")
struct WrongUseTests {
  @Test("is answered by one sentence and its status", arguments: wrongCalls)
  func wrong(_ call: WrongCall) async {
    let output = await Program.run(call.arguments, in: environment())
    #expect(output.text == "" || call.arguments.contains("--json"))
    #expect(output.remarks == [call.sentence])
    #expect(output.status == call.status)
  }

  @Test("is a document for programs", arguments: wrongCalls)
  func document(_ call: WrongCall) async throws {
    let output = await Program.run(call.arguments + ["--json"], in: environment())
    guard call.arguments.first != "--json", output.remarks == [call.sentence] else { return }
    let error = try JSONValue(parsing: output.text)["error"]
    #expect(error?["message"] == .string(call.sentence))
    #expect(error?["kind"] == (call.status == ExitStatus.data ? "data" : "usage"))
    #expect(output.status == call.status)
  }

  @Test("a file that is no data file fails every command", arguments: 0..<unreadableFiles.count)
  func unreadable(_ position: Int) async {
    let file = unreadableFiles[position]
    let calls = [
      ["lint", "f"], ["eval", "--visitor", "a", "--data-file", "f"],
      ["explain", "a", "--visitor", "a", "--data-file", "f"],
      ["simulate", "a", "--data-file", "f"], ["diff", "f", "f"],
    ]
    for call in calls {
      let output = await Program.run(call, in: environment(["f": file.arguments[0]]))
      #expect(output.text == "")
      #expect(output.remarks == [file.sentence])
      #expect(output.status == ExitStatus.data)
    }
  }

  @Test("a file without permission to read it is named")
  func permission() async throws {
    // The super-user may read everything.
    guard geteuid() != 0 else { return }
    let path = "/tmp/anole-demo-cli-\(getpid())"
    close(open(path, O_CREAT | O_WRONLY, 0))
    defer { unlink(path) }
    #expect(
      await run("lint", path).remarks == [
        "\(path): no permission to read it; change its mode or run as its owner"
      ])
  }

  @Test("a data file without flags says so")
  func noFlags() async {
    let output = await run("explain", "a", "--visitor", "b", "--data-file", "f", files: ["f": "{}"])
    #expect(output.remarks == ["f has no flag \"a\"; it has none at all"])
  }
}
