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
  name: "anole-remote-flags",
  products: [
    .library(name: "AnoleRemoteFlags", targets: ["AnoleRemoteFlags"]),
    .library(name: "PushwooshCore", targets: ["PushwooshCore"]),
    .library(name: "PushwooshFramework", targets: ["PushwooshFramework"]),
  ],
  dependencies: [
    .package(path: "../Models"),
    .package(path: "../Concurrency"),
    .package(path: "../Emulator"),
    .package(path: "../Networking"),
    .package(path: "../Storage"),
  ],
  targets: [
    .target(
      name: "AnoleRemoteFlags",
      dependencies: [
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleStorage", package: "Storage"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "PushwooshCore",
      dependencies: [
        "AnoleRemoteFlags",
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleStorage", package: "Storage"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "PushwooshFramework",
      dependencies: ["PushwooshCore"],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "AnoleRemoteFlagsCrashWriter",
      dependencies: [
        "AnoleRemoteFlags",
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleStorage", package: "Storage"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleRemoteFlagsTests",
      dependencies: [
        "AnoleRemoteFlags",
        "AnoleRemoteFlagsCrashWriter",
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleConcurrencyTesting", package: "Concurrency"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleNetworkingTesting", package: "Networking"),
        .product(name: "AnoleStorage", package: "Storage"),
        .product(name: "AnoleStorageTesting", package: "Storage"),
      ],
      resources: [.copy("Fixtures")],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnolePushwooshTests",
      dependencies: [
        "AnoleRemoteFlags",
        "PushwooshCore",
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleConcurrencyTesting", package: "Concurrency"),
        .product(name: "AnoleNetworking", package: "Networking"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnolePushwooshExamplesTests",
      dependencies: [
        "AnoleRemoteFlags",
        "PushwooshFramework",
        .product(name: "AnoleEmulator", package: "Emulator"),
        .product(name: "AnoleNetworking", package: "Networking"),
      ],
      swiftSettings: settings
    ),
  ]
)
