// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import Foundation
import Testing

/// The root of the repository, two folders above this file.
let repository = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// A package that a test makes, in a folder that is removed with the value.
///
/// What is built is kept in the repository's build folder, so that a second run compiles little.
final class SwiftPackage {
  let folder: URL
  private let products: URL

  /// Makes an empty package.
  ///
  /// - Parameter name: Names the folder of what is built; each test has its own.
  init(_ name: String) throws {
    products = repository.appendingPathComponent(".build/consumers/\(name)")
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("anole-consumer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      Issue.record("\(folder.path) could not be removed: \(error)")
    }
  }

  func write(_ text: String, to path: String) throws {
    let file = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func copy(_ source: URL, to path: String) throws {
    let target = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: source, to: target)
  }

  /// Runs a command of the Swift tool on this package.
  func swift(
    _ command: String, _ arguments: String...
  ) async throws -> (status: Int32, output: String) {
    try await Self.swift(
      [command, "--package-path", folder.path, "--scratch-path", products.path] + arguments)
  }

  /// Checks a file that uses what was built, without making code of it; warnings are errors.
  func check(_ file: String) async throws -> (status: Int32, output: String) {
    let built = products.appendingPathComponent("debug").resolvingSymlinksInPath()
    let sources = repository.appendingPathComponent("Packages")
    // C modules are found by their maps alone.
    let maps = [built, sources].flatMap { folder in
      FileManager.default.enumerator(atPath: folder.path)?
        .compactMap { $0 as? String }.filter { $0.hasSuffix("module.modulemap") }
        .map { "\(folder.path)/\($0)" } ?? []
    }
    let arguments =
      ["-typecheck", "-parse-as-library", "-warnings-as-errors", "-swift-version", "6"]
      + ["-I", built.appendingPathComponent("Modules").path]
      + maps.filter { $0.contains("/CAnole") }.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    return try await Self.run("swiftc", arguments + [folder.appendingPathComponent(file).path])
  }

  /// Runs the Swift tool; standard error is part of the output.
  static func swift(_ arguments: [String]) async throws -> (status: Int32, output: String) {
    try await run("swift", arguments)
  }

  private static func run(
    _ tool: String, _ arguments: [String]
  ) async throws -> (status: Int32, output: String) {
    try await onThread {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [tool] + arguments
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
  }
}
