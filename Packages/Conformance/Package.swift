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
  name: "anole-conformance",
  products: [
    .library(name: "AnoleConformance", targets: ["AnoleConformance"]),
    .library(name: "AnoleWireConformance", targets: ["AnoleWireConformance"]),
  ],
  dependencies: [
    .package(path: "../Models"),
    .package(path: "../Hashing"),
    .package(path: "../Targeting"),
    .package(path: "../Evaluation"),
    .package(path: "../Concurrency"),
    .package(path: "../Networking"),
    .package(path: "../Tracking"),
    .package(path: "../Client"),
    .package(path: "../Emulator"),
  ],
  targets: [
    .target(
      name: "AnoleConformance",
      dependencies: [
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleHashing", package: "Hashing"),
        .product(name: "AnoleTargeting", package: "Targeting"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "AnoleWireRecordings",
      dependencies: [
        "AnoleConformance",
        .product(name: "AnoleModels", package: "Models"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "AnoleWireConformance",
      dependencies: [
        "AnoleConformance",
        "AnoleWireRecordings",
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleConcurrencyTesting", package: "Concurrency"),
        .product(name: "AnoleEmulator", package: "Emulator"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleTracking", package: "Tracking"),
        .product(name: "kameleoonClient", package: "Client"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleWireRecordingsTests",
      dependencies: [
        "AnoleWireRecordings",
        .product(name: "AnoleModels", package: "Models"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleWireConformanceTests",
      dependencies: [
        "AnoleWireConformance",
        .product(name: "AnoleModels", package: "Models"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleConformanceTests",
      dependencies: [
        "AnoleConformance",
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleHashing", package: "Hashing"),
        .product(name: "AnoleTargeting", package: "Targeting"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
      ],
      swiftSettings: settings
    ),
  ]
)
