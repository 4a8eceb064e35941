// SPDX-License-Identifier: Apache-2.0

import AnoleStorageTesting
import Foundation
import Testing

@Suite("Test support")
struct SupportTests {
  @Test(
    "a temporary folder is for its owner only and goes with its value", arguments: [false, true])
  func folder(isInMemory: Bool) throws {
    var folder: TemporaryFolder? = try TemporaryFolder(isInMemory: isInMemory)
    let path = try #require(folder?.path)
    #expect(try folder?.permissions(path) == 0o700)
    try Data([1]).write(to: URL(fileURLWithPath: path + "/file"))
    folder = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("a child hears lines and says lines, and says nothing more once it is killed")
  func conversation() throws {
    let child = try ChildProcess("cat", [])
    child.say("one")
    #expect(child.line() == "one")
    child.kill()
    #expect(child.lines().isEmpty)
    #expect(child.waitUntilExit() == SIGKILL)
  }

  @Test("a child has the environment it is given and ends with its status")
  func environment() throws {
    let child = try ChildProcess(
      "/bin/sh", ["-c", "echo $WORD; exit 3"], environment: ["WORD": "x"])
    #expect(child.lines() == ["x"])
    #expect(child.waitUntilExit() == 3 << 8)
  }

  @Test("a program that is not built is an error with its name")
  func missing() {
    let error = #expect(throws: ChildProcess.SpawnError.self) {
      try ChildProcess(built: "AnoleNoSuchProgram", [])
    }
    #expect(error?.program.hasSuffix("/AnoleNoSuchProgram") == true)
    #expect(error?.code == ENOENT)
  }
}
