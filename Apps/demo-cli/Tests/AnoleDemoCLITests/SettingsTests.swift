// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AnoleDemoCLI

/// An environment with variables and files.
private func environment(
  variables: [String: String], files: [String: String] = [:]
) -> Environment {
  var environment = environment(files)
  environment.variable = { variables[$0] }
  environment.readIfPresent = { (path) throws(Failure) in files[path].map { Array($0.utf8) } }
  return environment
}

private let lone = #"{"featureFlags": [{"featureKey": "lone", "defaultVariationKey": "off"}]}"#
private let other = #"{"featureFlags": [{"featureKey": "other", "defaultVariationKey": "off"}]}"#

@Suite("Settings")
struct SettingsTests {
  private static let files = [
    "lone.json": lone, "other.json": other, "anole.json": #"{"data-file": "lone.json"}"#,
    "/home/anna/.config/anole/settings.json": #"{"visitor": "anna", "data-file": "other.json"}"#,
    "/etc/xdg/anole/settings.json": #"{"data-file": "other.json"}"#,
    "named.json": #"{"data-file": "other.json", "utc-offset": 3600}"#,
  ]

  /// What `eval --visitor anna` decides.
  private func flag(
    _ variables: [String: String], _ files: [String: String] = Self.files, _ options: String...
  ) async -> String {
    let output = await Program.run(
      ["eval", "--visitor", "anna"] + options, in: environment(variables: variables, files: files))
    return output.remarks.first ?? String(output.text.prefix { $0 != " " })
  }

  @Test("an option comes before the environment, that before the file")
  func order() async {
    #expect(await flag([:]) == "lone")
    #expect(await flag(["ANOLE_DATA_FILE": "other.json"]) == "other")
    #expect(await flag(["ANOLE_DATA_FILE": ""]) == "lone")
    #expect(
      await flag(["ANOLE_DATA_FILE": "other.json"], Self.files, "--data-file", "lone.json")
        == "lone"
    )
  }

  @Test("of the files the named one counts, then the local one, then the user's")
  func places() async {
    #expect(await flag(["ANOLE_SETTINGS": "named.json"]) == "other")
    var files = Self.files
    files["anole.json"] = nil
    #expect(await flag(["HOME": "/home/anna"], files) == "other")
    #expect(await flag(["XDG_CONFIG_HOME": "/etc/xdg"], files) == "other")
    #expect(await flag(["XDG_CONFIG_HOME": "relative", "HOME": ""], files) == "express_delivery")
    #expect(await flag([:], files) == "express_delivery")
  }

  @Test("a required option may be set")
  func required() async {
    let output = await Program.run(
      ["eval"],
      in: environment(
        variables: ["HOME": "/home/anna"],
        files: Self.files.filter { $0.key != "anole.json" }))
    #expect(output.text == "other  -  -  not decided, switched off in this environment\n")
  }

  @Test(
    "wrong files are told with the next step",
    arguments: [
      (
        "{",
        "anole.json: not valid JSON: unexpected end of the text at line 1, column 2 (byte 1); mend it at that place"
      ),
      ("[]", "anole.json: is not a JSON object; write {\"data-file\": \"…\"}"),
      (
        #"{"datafile": "x"}"#,
        "anole.json: there is no setting \"datafile\"; did you mean data-file?"
      ),
      (#"{"json": "x"}"#, nil),
      (#"{"data-file": true}"#, "anole.json: \"data-file\" wants a text or a number"),
    ] as [(String, String?)])
  func wrong(_ text: String, _ sentence: String?) async {
    let output = await Program.run(
      ["eval"], in: environment(variables: [:], files: ["anole.json": text]))
    #expect(output.status == ExitStatus.data)
    #expect(output.remarks.count == 1)
    if let sentence { #expect(output.remarks == [sentence]) }
  }

  @Test("a named file must be there")
  func missing() async {
    let output = await Program.run(
      ["eval"], in: environment(variables: ["ANOLE_SETTINGS": "/nowhere/s.json"]))
    #expect(output.remarks == ["/nowhere/s.json: there is no such file; check the path"])
    #expect(output.status == ExitStatus.usage)
  }
}
