// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import Foundation
import Testing

/// Runs a command of the system on bytes, by way of the shell.
///
/// Foundation's `Process` now and then leaks 32 bytes of its own, which the leak check finds.
private enum Command {
  static func isPresent(_ name: String) -> Bool {
    ["/bin/\(name)", "/usr/bin/\(name)"].contains { path in
      FileManager.default.isExecutableFile(atPath: path)
    }
  }

  static func run(_ name: String, _ arguments: String, input: [UInt8]) throws -> [UInt8] {
    let file = try temporaryFile(input)
    defer { try? FileManager.default.removeItem(at: file) }
    let pipe = try #require(popen("exec \(name) \(arguments) < '\(file.path)'", "r"))
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, pipe)
      guard count > 0 else { break }
      output += buffer[..<count]
    }
    #expect(pclose(pipe) == 0)
    return output
  }

  /// Runs a script on bytes.
  static func python(_ script: String, input: [UInt8]) throws -> [UInt8] {
    let file = try temporaryFile(Array(script.utf8))
    defer { try? FileManager.default.removeItem(at: file) }
    return try run("python3", "'\(file.path)'", input: input)
  }

  private static func temporaryFile(_ bytes: [UInt8]) throws -> URL {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("anole-\(UUID().uuidString)")
    try Data(bytes).write(to: file)
    return file
  }
}

@Suite("Other implementations of gzip")
struct GzipInteroperationTests {
  private static let samples: [[UInt8]] = {
    var random = TestMutation(seed: 4, marks: "a")
    return [
      [], [0], Array("Grüße, 世界\n".utf8), random.bytes(70_000),
      [UInt8](repeating: 0x61, count: 100_000),
    ]
  }()

  @Test(
    "the gzip command and this package read each other", .enabled(if: Command.isPresent("gzip")))
  func gzip() throws {
    for sample in Self.samples {
      #expect(try Command.run("gzip", "-dc", input: Gzip.compress(sample)) == sample)
      let named = try Command.run("gzip", "-9c", input: sample)
      #expect(try Gzip.decompress(named) == sample)
      #expect(try Gzip.decompress(named, format: nil) == sample)
    }
  }

  @Test(
    "Python's zlib and this package read each other", .enabled(if: Command.isPresent("python3")),
    arguments: [(CompressionFormat.gzip, 31), (.zlib, 15), (.rawDeflate, -15)])
  func python(_ format: CompressionFormat, _ bits: Int) throws {
    let unpack =
      "import sys,zlib;sys.stdout.buffer.write(zlib.decompress(sys.stdin.buffer.read(),\(bits)))"
    let pack = """
      import sys,zlib
      c=zlib.compressobj(9,8,\(bits))
      sys.stdout.buffer.write(c.compress(sys.stdin.buffer.read())+c.flush())
      """
    for sample in Self.samples {
      let ours = try Gzip.compress(sample, format: format)
      #expect(try Command.python(unpack, input: ours) == sample)
      let theirs = try Command.python(pack, input: sample)
      #expect(try Gzip.decompress(theirs, format: format) == sample)
      #expect(try Gzip.decompress(theirs, format: nil) == sample)
    }
  }
}
