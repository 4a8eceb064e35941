// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
import Foundation
import Testing

/// The system's own implementation, which shares no code with this one.
private let systemTool = ["/usr/bin/sha256sum", "/bin/sha256sum", "/sbin/sha256sum"]
  .first { FileManager.default.isExecutableFile(atPath: $0) }

/// The examples of FIPS 180-4 and its companion document of example values.
struct DigestExample: Sendable, CustomTestStringConvertible {
  let name: String
  let message: [UInt8]
  let digest: String
  init(_ name: String, _ message: [UInt8], _ digest: String) {
    self.name = name
    self.message = message
    self.digest = digest
  }
  var testDescription: String { name }
}

let digestExamples: [DigestExample] = [
  DigestExample(
    "empty", [],
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  DigestExample(
    "abc", Array("abc".utf8),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  DigestExample(
    "448 bits", Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
  DigestExample(
    "a million times a", [UInt8](repeating: 0x61, count: 1_000_000),
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
]

@Suite("SHA-256")
struct SystemDigestTests {
  @Test("the published examples, by both implementations", arguments: digestExamples)
  func examples(_ row: DigestExample) {
    #expect(hexadecimal(SHA256.digest(of: row.message)) == row.digest)
    #expect(hexadecimal(digest([row.message], portable: true)) == row.digest)
  }

  @Test(
    "sha256sum gives the same digest for 250 random messages",
    .enabled(if: systemTool != nil, "this system has no sha256sum"))
  func agreesWithTheSystem() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("anole-hashing-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // A leftover harms nobody.

    var generator = SeededGenerator(seed: 4)
    let lengths =
      Array(0...149) + (150..<250).map { _ in Int.random(in: 0...9999, using: &generator) }
    let messages = lengths.map { generator.bytes($0) }
    let names = messages.indices.map { "message-\($0)" }
    for (name, message) in zip(names, messages) {
      try Data(message).write(to: folder.appendingPathComponent(name))
    }

    let lines = try sums(of: names, in: folder)
    try #require(lines.count == messages.count)
    for (index, line) in lines.enumerated() {
      let expected = hexadecimal(SHA256.digest(of: messages[index])) + "  " + names[index]
      #expect(line == expected, "length \(messages[index].count)")
    }
  }

  /// Asks the tool about all files in one call.
  ///
  /// `Process` would do, but it leaves an allocation behind on Linux that the address sanitizer
  /// reports.
  private func sums(of names: [String], in folder: URL) throws -> [String] {
    let tool = try #require(systemTool)
    let command = "cd '\(folder.path)' && \(tool) \(names.joined(separator: " "))"
    let pipe = try #require(popen(command, "r"))
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 {
      output.append(contentsOf: chunk[..<count])
    }
    try #require(pclose(pipe) == 0)
    return text(output).split(separator: "\n").map(String.init)
  }
}
