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
  name: "anole-testing",
  products: [
    .library(name: "AnoleTesting", targets: ["AnoleTesting"])
  ],
  dependencies: [
    .package(path: "../Client"),
    .package(path: "../Concurrency"),
    .package(path: "../Evaluation"),
    .package(path: "../Networking"),
  ],
  targets: [
    .target(
      name: "AnoleTesting",
      dependencies: [
        .product(name: "kameleoonClient", package: "Client"),
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleConcurrencyTesting", package: "Concurrency"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
        .product(name: "AnoleNetworking", package: "Networking"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleTestingTests",
      dependencies: [
        "AnoleTesting",
        .product(name: "kameleoonClient", package: "Client"),
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
        .product(name: "AnoleNetworking", package: "Networking"),
      ],
      swiftSettings: settings
    ),
  ]
)
