// SPDX-License-Identifier: Apache-2.0

import AnoleCodeGeneration
import AnoleModels
import Foundation
import Testing

@Suite("Generated code in an application")
struct GeneratedCodeTests {
  private static let consumer = repository.appendingPathComponent("Tests/Consumers/Generated")
  private static let vectors = repository.appendingPathComponent("Tests/Fixtures/vectors/datafiles")
  private static let fixtures = repository.appendingPathComponent(
    "Packages/CodeGeneration/Tests/AnoleCodeGenerationTests/Fixtures")

  /// The features that this repository's own targets have, and those of new applications.
  private static let strict = """
    [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"), .treatAllWarnings(as: .error)]
    """

  /// Warnings are errors in all of it.
  ///
  /// The values are compared by a program that is built in both modes. The modules that it needs are
  /// built once.
  @Test(
    """
    the code of every vector data file, the shop and a hostile file compiles in Swift 5 and Swift 6 mode, \
    with the main actor as default and with all coming features, and reads the right values; that of \
    10,000 flags compiles
    """)
  func compilesAndReads() async throws {
    let package = try SwiftPackage("generated")
    let files = try Self.vectorFiles().map { try GeneratedCode($0) }
    let shop = try GeneratedCode(
      Self.fixtures.appendingPathComponent("shop.json"), namespace: "Flags")
    let hostile = try GeneratedCode(Self.fixtures.appendingPathComponent("hostile.json"))
    for mode in ["Swift5", "Swift6"] {
      try package.copy(Self.consumer, to: "Sources/\(mode)")
      for code in files + [shop, hostile] {
        try package.write(code.text, to: "Sources/\(mode)/Generated/\(code.generator.name).swift")
      }
      for code in files {
        try package.write(
          Self.imports + code.checks,
          to: "Sources/\(mode)/Checks/\(code.generator.name)+Checks.swift")
      }
      try package.write(
        Self.imports + hostile.keyChecks, to: "Sources/\(mode)/Checks/HostileFlags+Checks.swift")
      try package.write(Self.list(files), to: "Sources/\(mode)/Checks/All.swift")
    }
    for target in ["MainActor", "Strict"] {
      try package.write(shop.text, to: "Sources/\(target)/Flags.swift")
      try package.copy(
        Self.consumer.appendingPathComponent("Shop.swift"), to: "Sources/\(target)/Shop.swift")
    }
    try package.write(Self.manifest, to: "Package.swift")
    let build = try await package.swift("build")
    try #require(build.status == 0, "\(build.output)")
    for mode in ["Swift5", "Swift6"] {
      let run = try await package.swift("run", "--skip-build", mode, Self.vectors.path)
      #expect(run.status == 0, "\(run.output)")
      #expect(run.output.contains("\n0 of "), "\(run.output)")
    }
    try package.write(Self.manyFlags(), to: "Many.swift")
    let check = try await package.check("Many.swift")
    #expect(check.status == 0 && check.output.isEmpty, "\(check.output.prefix(2_000))")
  }

  private static func manyFlags() throws -> String {
    var dataFile = DataFile()
    dataFile.featureFlags = (0..<10_000).map { number in
      var flag = FeatureFlag()
      flag.id = Int64(number)
      flag.key = "flag_\(number)"
      flag.defaultVariationKey = "off"
      var off = FlagVariation()
      off.key = "off"
      flag.variations = [off]
      return flag
    }
    let source = try SwiftGenerator().source(for: dataFile)
    try #require(source.flagCount == 10_000)
    return source.text
  }

  private static func vectorFiles() throws -> [URL] {
    let files = try FileManager.default.contentsOfDirectory(
      at: vectors, includingPropertiesForKeys: nil)
    let sorted = files.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    try #require(sorted.count > 20)
    return sorted
  }

  private static let imports = """
    import AnoleTesting
    import Foundation
    import kameleoonClient


    """

  /// The function that calls all.
  private static func list(_ files: [GeneratedCode]) -> String {
    let calls = files.map { "  try await check\($0.generator.name)(checks, folder: folder)" }
    return (["func checkAll(_ checks: Checks, folder: String) async throws {"] + calls + ["}"])
      .joined(separator: "\n")
  }

  private static let manifest = """
    // swift-tools-version: 6.2
    import PackageDescription
    let client: Target.Dependency = .product(name: "kameleoonClient", package: "Client")
    let testing: Target.Dependency = .product(name: "AnoleTesting", package: "Testing")
    let package = Package(
      name: "generated",
      dependencies: [
        .package(path: "\(repository.path)/Packages/Client"),
        .package(path: "\(repository.path)/Packages/Testing"),
      ],
      targets: [
        .executableTarget(
          name: "Swift5", dependencies: [client, testing],
          swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        .executableTarget(
          name: "Swift6", dependencies: [client, testing],
          swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        .target(
          name: "MainActor", dependencies: [client],
          swiftSettings: [.defaultIsolation(MainActor.self)] + \(strict)),
        .target(name: "Strict", dependencies: [client], swiftSettings: \(strict)),
      ])
    """
}
