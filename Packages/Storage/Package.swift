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
  name: "anole-storage",
  products: [
    .library(name: "AnoleStorage", targets: ["AnoleStorage"]),
    .library(name: "AnoleStorageTesting", targets: ["AnoleStorageTesting"]),
  ],
  dependencies: [
    .package(path: "../Concurrency")
  ],
  targets: [
    .systemLibrary(
      name: "CAnoleSQLiteSystem",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]
    ),
    .target(
      name: "CAnoleSQLite",
      dependencies: ["CAnoleSQLiteSystem"]
    ),
    .target(
      name: "AnoleStorage",
      dependencies: [
        "CAnoleSQLite",
        .product(name: "AnoleConcurrency", package: "Concurrency"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "AnoleStorageTesting",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "AnoleStorageCrashWriter",
      dependencies: [
        "AnoleStorage",
        .product(name: "AnoleConcurrency", package: "Concurrency"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleStorageTests",
      dependencies: [
        "AnoleStorage",
        "AnoleStorageCrashWriter",
        "AnoleStorageTesting",
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleConcurrencyTesting", package: "Concurrency"),
      ],
      swiftSettings: settings
    ),
  ]
)
