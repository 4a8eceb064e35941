// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation
import Testing

/// The root of the repository, two folders above this file.
private let repository = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// Names that big apps give their own targets.
private let appTargets = [
  "Models", "Storage", "Networking", "Tracking", "Hashing", "Targeting", "Evaluation", "CCurl",
  "CZlib", "Utilities",
]

@Suite("Use from other packages")
struct BigAppTests {
  /// Field case 14: the names of our targets must not collide with those of an app.
  @Test("an app with targets of plain names builds with every product, without module aliases")
  func bigApp() throws {
    let products = try Self.products()
    #expect(products.contains("AnoleEvaluation"))
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("anole-consumer-\(UUID().uuidString)")
    try Self.writeApp(in: folder, products: products)
    defer {
      do {
        try FileManager.default.removeItem(at: folder)
      } catch {
        Issue.record("\(folder.path) could not be removed: \(error)")
      }
    }
    let (status, output) = try Self.swift(["run", "--package-path", folder.path, "demo-cli"])
    #expect(status == 0, "\(output)")
    #expect(output.contains("the app runs"))
  }

  /// The library products that the root manifest declares.
  private static func products() throws -> [String] {
    let (status, output) = try swift(["package", "--package-path", repository.path, "dump-package"])
    try #require(status == 0, "\(output)")
    let start = try #require(output.firstIndex(of: "{"))
    let manifest = try JSONValue(parsing: String(output[start...]))
    return (manifest["products"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
  }

  private static func writeApp(in folder: URL, products: [String]) throws {
    let identity = repository.lastPathComponent
    let dependencies = products.map { ".product(name: \"\($0)\", package: \"\(identity)\")" }
    let targets = appTargets.map { ".target(name: \"\($0)\")" }
    let names = appTargets.map { "\"\($0)\"" }
    let manifest = """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "big-app",
        dependencies: [.package(path: "\(repository.path)")],
        targets: [
          \(targets.joined(separator: ",\n    ")),
          .executableTarget(
            name: "demo-cli",
            dependencies: [
              \((names + dependencies).joined(separator: ",\n        "))
            ]),
        ])
      """
    try write(manifest, to: folder.appendingPathComponent("Package.swift"))
    for name in appTargets {
      try write(
        "public enum Own { public static let name = \"\(name)\" }",
        to: folder.appendingPathComponent("Sources/\(name)/Own.swift"))
    }
    let imports = (appTargets + products).map { "import \($0)" }
    let main = (imports + ["print(\"the app runs\", Models.Own.name)"]).joined(separator: "\n")
    try write(main, to: folder.appendingPathComponent("Sources/demo-cli/main.swift"))
  }

  private static func write(_ text: String, to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Runs the Swift tool; standard error is part of the output.
  private static func swift(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift"] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
