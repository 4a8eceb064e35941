// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworkingTesting
import Foundation
import Testing

/// The OpenFeature client for Python with its OFREP provider, installed from PyPI.
enum OpenFeatureClient {
  /// Where the protocol's document is kept: beside the repository, not in it.
  static let document = repository.appendingPathComponent("../shared/suites/ofrep/openapi.yaml")
    .standardizedFileURL

  static var hasDocument: Bool { FileManager.default.fileExists(atPath: document.path) }

  /// Whether the client is there; it is installed when this is first asked, once for all runs.
  ///
  /// - Throws: ``ProgramFailure`` if it cannot be installed for another reason than that PyPI is out of
  ///   reach.
  static func isInstalled() async throws -> Bool { try await onThread { try installation.get() } }

  private static let installation = Result { try install() }

  private static func fixture(_ name: String) throws -> URL {
    try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil))
  }

  /// The environment of the packages, named by their versions.
  private static func environment() throws -> URL {
    let wanted = String(decoding: try Data(contentsOf: fixture("requirements.txt")), as: UTF8.self)
    let versions = wanted.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.replacingOccurrences(of: "==", with: "-") }
    return repository.appendingPathComponent(
      ".build/openfeature/" + versions.joined(separator: "+"))
  }

  private static func install() throws -> Bool {
    let folder = try environment()
    let mark = folder.appendingPathComponent("complete")
    if FileManager.default.fileExists(atPath: mark.path) { return true }
    let made = try run("python3", ["-m", "venv", "--clear", folder.path])
    guard made.status == 0 else {
      throw ProgramFailure(
        "python3 makes no environment (scripts/setup installs what it needs)", made)
    }
    let pip = folder.appendingPathComponent("bin/pip").path
    let requirements = try fixture("requirements.txt").path
    let installed = try run(
      pip,
      [
        "install", "--quiet", "--disable-pip-version-check", "--no-input", "--retries", "1",
        "--timeout", "20", "--requirement", requirements,
      ])
    guard installed.status == 0 else {
      if isUnreachable(installed.output) { return false }
      throw ProgramFailure("pip does not install the OpenFeature client", installed)
    }
    try Data().write(to: mark)
    return true
  }

  /// Whether pip complains about the network and nothing else.
  private static func isUnreachable(_ output: String) -> Bool {
    [
      "NewConnectionError", "ConnectTimeoutError", "ProxyError", "NameResolutionError",
      "ReadTimeoutError", "Network is unreachable",
    ].contains { output.contains($0) }
  }

  /// Runs a session; see `Fixtures/session.py`.
  static func session(_ job: JSONValue) async throws -> JSONValue {
    let python = try environment().appendingPathComponent("bin/python").path
    let script = try fixture("session.py").path
    let ran = try await onThread { try run(python, [script], input: Array(job.text().utf8)) }
    guard ran.status == 0 else { throw ProgramFailure("the session failed", ran) }
    return try JSONValue(parsing: ran.output)
  }

  /// Runs a program; errors are part of the output where it fails.
  private static func run(
    _ program: String, _ arguments: [String], input: [UInt8] = []
  ) throws -> (status: Int32, output: String) {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("openfeature-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      do {
        try FileManager.default.removeItem(at: folder)
      } catch {
        Issue.record("\(folder.path) could not be removed: \(error)")
      }
    }
    let names = ["input", "output", "errors"].map { folder.appendingPathComponent($0) }
    for name in names { try Data(input).write(to: name) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardInput = try FileHandle(forReadingFrom: names[0])
    let output = try FileHandle(forWritingTo: names[1])
    let errors = try FileHandle(forWritingTo: names[2])
    try output.truncate(atOffset: 0)
    try errors.truncate(atOffset: 0)
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    var text = String(decoding: try Data(contentsOf: names[1]), as: UTF8.self)
    if process.terminationStatus != 0 {
      text += String(decoding: try Data(contentsOf: names[2]), as: UTF8.self)
    }
    return (process.terminationStatus, text)
  }
}

/// The root of the repository, two folders above this file.
let repository = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// A program that ended otherwise than it should.
struct ProgramFailure: Error, CustomStringConvertible {
  let description: String

  init(_ sentence: String, _ ran: (status: Int32, output: String)) {
    description = "\(sentence): status \(ran.status): \(ran.output)"
  }
}
