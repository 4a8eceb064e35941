// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A package of the repository with its library products.
private struct Library: Sendable {
  let package: String
  let products: [String]
}

@Suite("An application that uses everything")
struct ApplicationTests {
  private static let consumer = repository.appendingPathComponent("Tests/Consumers/App")
  private static let examples = repository.appendingPathComponent("Tests/DocumentationExamples")

  /// Packages for tests of this repository alone; an application has no use for them.
  private static let internalPackages: Set = ["Conformance"]

  @Test(
    "it builds in Swift 6 mode with the main actor as default isolation, and runs; the examples of the documentation build so too, and in Swift 5 mode"
  )
  func application() async throws {
    let package = try SwiftPackage("application")
    try package.copy(Self.consumer, to: "Sources/App")
    try package.copy(Self.examples, to: "Sources/ExamplesSwift5")
    try package.copy(Self.examples, to: "Sources/ExamplesMainActor")
    try package.write(Self.manifest(), to: "Package.swift")
    let (status, output) = try await package.swift("run", "App")
    #expect(status == 0, "\(output)")
    #expect(output.hasSuffix("the consumer runs\n"), "\(output)")
    let targets = try await package.swift("build")
    #expect(targets.status == 0, "\(targets.output)")
  }

  /// Every public name has to occur in the application: a crude measure, but one that a new declaration
  /// cannot pass by.
  @Test("it mentions every public declaration of every package")
  func completeness() throws {
    let words = try Self.words(of: Self.swiftFiles(in: Self.consumer))
    #expect(words.count > 500)
    for library in try Self.libraries() {
      for product in library.products {
        let sources = repository.appendingPathComponent(
          "Packages/\(library.package)/Sources/\(product)")
        let declarations = try PublicDeclarations(files: Self.swiftFiles(in: sources))
        let missing = declarations.names.subtracting(words).sorted()
        #expect(missing.isEmpty, "use these of \(product) in Tests/Consumers/App: \(missing)")
      }
    }
  }

  /// K-03: the dependency as the documentation means it; the package is not fetched.
  @Test("a manifest with the corrected dependency of the documentation is valid")
  func dependency() async throws {
    let package = try SwiftPackage("dependency")
    try package.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "app",
        dependencies: [
          .package(url: "https://git.example.com/kameleoonClient", from: "3.0.3")
        ],
        targets: [
          .target(
            name: "App",
            dependencies: [.product(name: "kameleoonClient", package: "kameleoonClient")])
        ])
      """, to: "Package.swift")
    let (status, output) = try await package.swift("package", "dump-package")
    #expect(status == 0, "\(output)")
    #expect(output.contains("3.0.3"))
  }

  // MARK: Helpers

  private static func manifest() throws -> String {
    let libraries = try libraries()
    let dependencies = libraries.map {
      ".package(path: \"\(repository.path)/Packages/\($0.package)\")"
    }
    let products = libraries.flatMap { library in
      library.products.map { ".product(name: \"\($0)\", package: \"\(library.package)\")" }
    }
    let client = ".product(name: \"kameleoonClient\", package: \"Client\")"
    return """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "consumer",
        dependencies: [
          \(dependencies.joined(separator: ",\n    "))
        ],
        targets: [
          .executableTarget(
            name: "App",
            dependencies: [
              \(products.joined(separator: ",\n        "))
            ],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
          .target(
            name: "ExamplesSwift5", dependencies: [\(client)],
            swiftSettings: [.swiftLanguageMode(.v5)]),
          .target(
            name: "ExamplesMainActor", dependencies: [\(client)],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
        ])
      """
  }

  /// The packages with library products, read from their manifests.
  private static func libraries() throws -> [Library] {
    let folder = repository.appendingPathComponent("Packages")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let pattern = /\.library\(\s*name: "([A-Za-z]+)"/
    let libraries = try names.compactMap { name -> Library? in
      let manifest = folder.appendingPathComponent("\(name)/Package.swift")
      guard !internalPackages.contains(name),
        FileManager.default.fileExists(atPath: manifest.path)
      else { return nil }
      let text = try String(contentsOf: manifest, encoding: .utf8)
      let products = text.matches(of: pattern).map { String($0.output.1) }
      return products.isEmpty ? nil : Library(package: name, products: products)
    }
    try #require(libraries.count > 5)
    return libraries
  }

  private static func swiftFiles(in folder: URL) throws -> [URL] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return paths.filter { $0.hasSuffix(".swift") }.sorted()
      .map { folder.appendingPathComponent($0) }
  }

  private static func words(of files: [URL]) throws -> Set<String> {
    var words: Set<String> = []
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      let split = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
      words.formUnion(split.map { String($0) })
    }
    return words
  }
}
