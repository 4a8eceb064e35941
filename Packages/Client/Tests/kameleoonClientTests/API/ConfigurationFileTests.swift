// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import kameleoonClient

@Suite("The file of settings")
struct ConfigurationFileTests {
  /// Values of all settings, under both spellings of their keys.
  private static let snakeCase: [String: any Sendable] = [
    "client_id": "id", "client_secret": "secret", "refresh_interval_minute": 30,
    "data_expiration_interval_minute": 1_440, "default_timeout_millisecond": 30_000,
    "tracking_interval_millisecond": 2_000, "environment": "staging",
    "is_unique_identifier": true, "network_domain": "example.com", "default_datafile": "{}",
    "activity_tracking_interval_millisecond": 90_000,
  ]
  private static let camelCase: [String: any Sendable] = [
    "clientId": "id", "clientSecret": "secret", "refreshIntervalMinute": 30,
    "dataExpirationIntervalMinute": 1_440, "defaultTimeoutMillisecond": 30_000,
    "trackingIntervalMillisecond": 2_000, "environment": "staging",
    "isUniqueIdentifier": true, "networkDomain": "example.com", "defaultDataFile": "{}",
    "activityTrackingIntervalMillisecond": 90_000,
  ]
  private static let full = KameleoonClientConfig(
    clientId: "id", clientSecret: "secret", refreshIntervalMinute: 30,
    dataExpirationIntervalMinute: 1_440, defaultTimeoutMillisecond: 30_000,
    trackingIntervalMillisecond: 2_000, environment: "staging", isUniqueIdentifier: true,
    networkDomain: "example.com", defaultDataFile: "{}",
    activityTrackingIntervalMillisecond: 90_000)

  @Test(
    "both spellings of every key, in XML and in binary files",
    arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func spellings(_ format: PropertyListSerialization.PropertyListFormat) throws {
    for values in [Self.snakeCase, Self.camelCase] {
      let folder = try Folder()
      let path = try folder.write(values, format: format)
      let (config, messages) = read(path)
      #expect(config == Self.full)
      #expect(messages.filter { $0.level != .info }.isEmpty, "\(messages)")
    }
  }

  @Test("of both spellings the one of the file counts")
  func precedence() throws {
    let folder = try Folder()
    let path = try folder.write(["refresh_interval_minute": 5, "refreshIntervalMinute": 7])
    #expect(read(path).config.refreshIntervalMinute == 5)
  }

  @Test("a value of the wrong type is told and counts as missing; a Boolean is no number")
  func wrongTypes() throws {
    let folder = try Folder()
    let path = try folder.write([
      "refresh_interval_minute": true, "trackingIntervalMillisecond": "1000",
      "is_unique_identifier": 1, "environment": 5, "network_domain": ["example.com"],
      "default_timeout_millisecond": 2.5,
    ])
    let (config, messages) = read(path)
    #expect(config == KameleoonClientConfig())
    let errors = messages.filter { $0.level == .error }.map(\.text).sorted()
    #expect(
      errors == [
        "settings: default_timeout_millisecond in \"\(path)\" is a fraction, must be an integer; "
          + "it is ignored",
        "settings: environment in \"\(path)\" is an integer, must be a string; it is ignored",
        "settings: is_unique_identifier in \"\(path)\" is an integer, must be a Boolean; "
          + "it is ignored",
        "settings: network_domain in \"\(path)\" is a list, dictionary, date or data, "
          + "must be a string; it is ignored",
        "settings: refresh_interval_minute in \"\(path)\" is a Boolean, must be an integer; "
          + "it is ignored",
        "settings: trackingIntervalMillisecond in \"\(path)\" is a string, must be an integer; "
          + "it is ignored",
      ])
  }

  @Test("unknown keys are told once, all together, with a hint at the old names")
  func unknownKeys() throws {
    let folder = try Folder()
    let path = try folder.write([
      "refresh_interval_minutes": 5, "default_data_file": "{}", "environment": "a",
    ])
    let (config, messages) = read(path)
    #expect(config == KameleoonClientConfig(environment: "a"))
    #expect(
      messages.filter { $0.level == .warning }.map(\.text) == [
        "settings: unknown in \"\(path)\" and ignored: \"default_data_file\", "
          + "\"refresh_interval_minutes\"; the names of intervals end in the singular"
      ])
  }

  @Test("the path given in code, that of the environment, the working folder, the program's folder")
  func order() throws {
    let (given, variable, working, program) = try (Folder(), Folder(), Folder(), Folder())
    func read(
      given givenPath: String? = nil, variable variablePath: String? = nil
    ) -> String? {
      let file = ConfigurationFile(
        path: givenPath,
        environment: variablePath.map { [ConfigurationFile.variable: $0] } ?? [:],
        workingFolder: working.path, programFolder: program.path)
      return file.read { _, _ in }.environment
    }
    #expect(read() == nil)
    try program.write(["environment": "program"])
    #expect(read() == "program")
    try working.write(["environment": "working"])
    #expect(read() == "working")
    let variablePath = try variable.write(["environment": "variable"])
    #expect(read(variable: variablePath) == "variable")
    let givenPath = try given.write(["environment": "given"])
    #expect(read(given: givenPath, variable: variablePath) == "given")
    #expect(read(given: "", variable: "") == "working")
  }

  @Test("no file at all means the defaults, told as information")
  func missing() throws {
    let folder = try Folder()
    let file = ConfigurationFile(
      environment: [:], workingFolder: folder.path, programFolder: nil)
    let messages = Messages()
    #expect(file.read(log: messages.take) == KameleoonClientConfig())
    #expect(messages.all.map(\.level) == [.info])
  }

  @Test("a named file that is missing is an error, and no other file is taken in its place")
  func namedMissing() throws {
    let folder = try Folder()
    try folder.write(["environment": "working"])
    let file = ConfigurationFile(
      path: folder.path + "/other.plist", environment: [:], workingFolder: folder.path,
      programFolder: nil)
    let messages = Messages()
    #expect(file.read(log: messages.take) == KameleoonClientConfig())
    #expect(messages.all.map(\.level) == [.error])
    #expect(messages.all.first?.text.contains("other.plist") == true)
  }

  /// A text that repeats a piece, shown by the piece alone.
  struct Repeated: Sendable, CustomTestStringConvertible {
    let piece: String
    var count = 1
    var text: String { String(repeating: piece, count: count) }
    var testDescription: String { "\(piece.debugDescription) × \(count)" }
  }

  @Test(
    "a file that is no property list, or none with a dictionary, is an error and harmless",
    arguments: [
      Repeated(piece: ""), Repeated(piece: "{"), Repeated(piece: "bplist00"),
      Repeated(piece: "bplist00\u{0}\u{1}\u{2}"), Repeated(piece: "<plist><array/></plist>"),
      Repeated(
        piece: "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a</key></dict></plist>"),
      Repeated(piece: "<array>", count: 100_000),
    ])
  func damaged(_ damage: Repeated) throws {
    let folder = try Folder()
    let path = folder.path + "/" + ConfigurationFile.name
    try Data(damage.text.utf8).write(to: URL(fileURLWithPath: path))
    let (config, messages) = read(path)
    #expect(config == KameleoonClientConfig())
    #expect(messages.map(\.level) == [.error])
  }

  @Test(
    "256 lists and dictionaries are read, more are refused, in every encoding",
    arguments: [String.Encoding.utf8, .utf16])
  func nesting(_ encoding: String.Encoding) throws {
    let folder = try Folder()
    let path = folder.path + "/" + ConfigurationFile.name
    for (lists, environment) in [(255, "a"), (256, nil)] {
      let nested =
        String(repeating: "<array>", count: lists) + String(repeating: "</array>", count: lists)
      let text = """
        <?xml version="1.0" encoding="\(encoding == .utf8 ? "UTF-8" : "UTF-16")"?>
        <plist version="1.0"><dict><key>environment</key><string>a</string>
        <key>other</key>\(nested)</dict></plist>
        """
      try #require(text.data(using: encoding)).write(to: URL(fileURLWithPath: path))
      let (config, messages) = read(path)
      #expect(config == KameleoonClientConfig(environment: environment), "\(messages)")
      #expect(messages.contains { $0.level == .error } == (environment == nil))
    }
  }

  @Test("a folder in place of the file is an error")
  func folder() throws {
    let folder = try Folder()
    let (config, messages) = read(folder.path)
    #expect(config == KameleoonClientConfig())
    #expect(messages.map(\.level) == [.error])
  }

  private func read(_ path: String) -> (config: KameleoonClientConfig, messages: [Message]) {
    let messages = Messages()
    let file = ConfigurationFile(
      path: path, environment: [:], workingFolder: "/", programFolder: nil)
    return (file.read(log: messages.take), messages.all)
  }
}

/// A message that was logged.
private struct Message {
  let level: LogLevel
  let text: String
}

private final class Messages {
  private(set) var all: [Message] = []

  func take(_ level: LogLevel, _ text: String) {
    all.append(Message(level: level, text: text))
  }
}

/// A folder that is removed with the value.
private final class Folder {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("settings-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    // What is left of a temporary folder does no harm.
    try? FileManager.default.removeItem(atPath: path)
  }

  @discardableResult
  func write(
    _ values: [String: any Sendable],
    format: PropertyListSerialization.PropertyListFormat = .xml
  ) throws -> String {
    let file = path + "/" + ConfigurationFile.name
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: values, format: format, options: 0)
    try bytes.write(to: URL(fileURLWithPath: file))
    return file
  }
}
