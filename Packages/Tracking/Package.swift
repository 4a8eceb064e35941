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
  name: "anole-tracking",
  products: [
    .library(name: "AnoleTracking", targets: ["AnoleTracking"])
  ],
  dependencies: [
    .package(path: "../Concurrency"),
    .package(path: "../Emulator"),
    .package(path: "../Models"),
    .package(path: "../Networking"),
    .package(path: "../Storage"),
  ],
  targets: [
    .target(
      name: "AnoleTracking",
      dependencies: [
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleStorage", package: "Storage"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "AnoleTrackingCrashWriter",
      dependencies: [
        "AnoleTracking",
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleStorage", package: "Storage"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleTrackingTests",
      dependencies: [
        "AnoleTracking",
        "AnoleTrackingCrashWriter",
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleConcurrencyTesting", package: "Concurrency"),
        .product(name: "AnoleEmulator", package: "Emulator"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleNetworkingTesting", package: "Networking"),
        .product(name: "AnoleStorage", package: "Storage"),
        .product(name: "AnoleStorageTesting", package: "Storage"),
      ],
      resources: [.copy("Fixtures")],
      swiftSettings: settings
    ),
  ]
)
