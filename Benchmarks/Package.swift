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
  name: "anole-benchmarks",
  products: [
    .library(
      name: "AnoleBenchmarks",
      targets: ["AnoleBenchCore", "AnoleBenchEvaluation", "AnoleBenchDelivery"]),
    .executable(name: "anole-bench", targets: ["AnoleBench"]),
    .executable(name: "anole-bench-io", targets: ["AnoleBenchIO"]),
    .executable(name: "anole-bench-client", targets: ["AnoleBenchClient"]),
  ],
  dependencies: [
    .package(path: "../Packages/Models"),
    .package(path: "../Packages/Concurrency"),
    .package(path: "../Packages/Targeting"),
    .package(path: "../Packages/Evaluation"),
    .package(path: "../Packages/Analysis"),
    .package(path: "../Packages/Tracking"),
    .package(path: "../Packages/Networking"),
    .package(path: "../Packages/Storage"),
    .package(path: "../Packages/Client"),
    .package(path: "../Packages/RemoteFlags"),
  ],
  targets: [
    .target(name: "AnoleBenchCore", swiftSettings: settings),
    .target(
      name: "AnoleBenchInputs",
      dependencies: [
        "AnoleBenchCore", .product(name: "AnoleModels", package: "Models"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "AnoleBenchEvaluation",
      dependencies: [
        "AnoleBenchCore",
        "AnoleBenchInputs",
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleTargeting", package: "Targeting"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "AnoleBench",
      dependencies: ["AnoleBenchCore", "AnoleBenchEvaluation"],
      swiftSettings: settings
    ),
    .target(
      name: "AnoleBenchDelivery",
      dependencies: [
        "AnoleBenchCore",
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleStorage", package: "Storage"),
        .product(name: "AnoleTracking", package: "Tracking"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "AnoleBenchIO",
      dependencies: ["AnoleBenchCore", "AnoleBenchDelivery"],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "AnoleBenchClient",
      dependencies: [
        "AnoleBenchCore",
        "AnoleBenchInputs",
        .product(name: "AnoleAnalysis", package: "Analysis"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleTargeting", package: "Targeting"),
        .product(name: "AnoleRemoteFlags", package: "RemoteFlags"),
        .product(name: "AnoleStorage", package: "Storage"),
        .product(name: "kameleoonClient", package: "Client"),
      ],
      swiftSettings: settings
    ),
  ]
)
