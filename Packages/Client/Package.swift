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
  name: "anole-client",
  products: [
    .library(name: "kameleoonClient", targets: ["kameleoonClient"])
  ],
  dependencies: [
    .package(path: "../Concurrency"),
    .package(path: "../Emulator"),
    .package(path: "../Evaluation"),
    .package(path: "../Models"),
    .package(path: "../Networking"),
    .package(path: "../Storage"),
    .package(path: "../Targeting"),
    .package(path: "../Tracking"),
  ],
  targets: [
    .target(
      name: "kameleoonClient",
      dependencies: [
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleStorage", package: "Storage"),
        .product(name: "AnoleTargeting", package: "Targeting"),
        .product(name: "AnoleTracking", package: "Tracking"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "kameleoonClientTests",
      dependencies: [
        "kameleoonClient",
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleConcurrencyTesting", package: "Concurrency"),
        .product(name: "AnoleEmulator", package: "Emulator"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleStorage", package: "Storage"),
        .product(name: "AnoleTargeting", package: "Targeting"),
        .product(name: "AnoleTracking", package: "Tracking"),
      ],
      resources: [.copy("Fixtures")],
      swiftSettings: settings
    ),
  ]
)
