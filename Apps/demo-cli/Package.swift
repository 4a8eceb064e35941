// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
  .treatWarning("ExplicitSendable", as: .error),
]

let package = Package(
  name: "anole-demo-cli",
  products: [
    .executable(name: "demo-cli", targets: ["AnoleDemoCLI"])
  ],
  dependencies: [
    .package(path: "../../Packages/Models"),
    .package(path: "../../Packages/CodeGeneration"),
    .package(path: "../../Packages/Concurrency"),
    .package(path: "../../Packages/Targeting"),
    .package(path: "../../Packages/Evaluation"),
    .package(path: "../../Packages/Analysis"),
    .package(path: "../../Packages/Conformance"),
    .package(path: "../../Packages/Networking"),
    .package(path: "../../Packages/Storage"),
    .package(path: "../../Packages/Tracking"),
    .package(path: "../../Packages/RemoteFlags"),
    .package(path: "../../Packages/Client"),
    .package(path: "../../Packages/Emulator"),
    .package(path: "../../Benchmarks"),
  ],
  targets: [
    .target(name: "CAnoleGetopt"),
    .executableTarget(
      name: "AnoleDemoCLI",
      dependencies: [
        "CAnoleGetopt",
        .product(name: "AnoleCodeGeneration", package: "CodeGeneration"),
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleTargeting", package: "Targeting"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
        .product(name: "AnoleAnalysis", package: "Analysis"),
        .product(name: "AnoleConformance", package: "Conformance"),
        .product(name: "AnoleWireConformance", package: "Conformance"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleStorage", package: "Storage"),
        .product(name: "AnoleTracking", package: "Tracking"),
        .product(name: "AnoleRemoteFlags", package: "RemoteFlags"),
        .product(name: "kameleoonClient", package: "Client"),
        .product(name: "AnoleEmulator", package: "Emulator"),
        .product(name: "AnoleBenchmarks", package: "Benchmarks"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleDemoCLITests",
      dependencies: [
        "AnoleDemoCLI",
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleConcurrencyTesting", package: "Concurrency"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleTargeting", package: "Targeting"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
        .product(name: "AnoleEmulator", package: "Emulator"),
        .product(name: "kameleoonClient", package: "Client"),
      ],
      exclude: ["Fixtures"],
      swiftSettings: settings
    ),
  ]
)
