// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation
import Testing

/// Names that big apps give their own targets.
private let appTargets = [
  "Models", "Storage", "Networking", "Tracking", "Hashing", "Targeting", "Evaluation", "CCurl",
  "CZlib", "Utilities", "Client", "Concurrency", "Emulator", "RemoteFlags", "Conformance", "Core",
  "API", "Tests",
]

@Suite("Use from other packages")
struct BigAppTests {
  /// Field case 14: the names of our targets must not collide with those of an app.
  @Test("an app with targets of plain names builds with every product, without module aliases")
  func bigApp() async throws {
    let products = try await Self.products()
    for product in ["AnoleEvaluation", "AnoleTracking", "AnoleTesting", "kameleoonClient"] {
      #expect(products.contains(product), "the root manifest has no product \(product)")
    }
    let package = try SwiftPackage("big-app")
    try Self.writeApp(in: package, products: products)
    let (status, output) = try await package.swift("run", "demo-cli")
    #expect(status == 0, "\(output)")
    #expect(output.contains("the app runs"))
  }

  /// The library products that the root manifest declares.
  private static func products() async throws -> [String] {
    let (status, output) = try await SwiftPackage.swift([
      "package", "--package-path", repository.path, "dump-package",
    ])
    try #require(status == 0, "\(output)")
    let start = try #require(output.firstIndex(of: "{"))
    let manifest = try JSONValue(parsing: String(output[start...]))
    return (manifest["products"]?.arrayValue ?? []).compactMap { product in
      product["type"]?["library"] == nil ? nil : product["name"]?.stringValue
    }
  }

  private static func writeApp(in package: SwiftPackage, products: [String]) throws {
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
    try package.write(manifest, to: "Package.swift")
    for name in appTargets {
      try package.write(
        "public enum Own { public static let name = \"\(name)\" }",
        to: "Sources/\(name)/Own.swift")
    }
    let imports = (appTargets + products).map { "import \($0)" }
    let main = (imports + ["print(\"the app runs\", Models.Own.name)"]).joined(separator: "\n")
    try package.write(main, to: "Sources/demo-cli/main.swift")
  }
}
