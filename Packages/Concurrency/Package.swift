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
  name: "anole-concurrency",
  products: [
    .library(name: "AnoleConcurrency", targets: ["AnoleConcurrency"]),
    .library(name: "AnoleConcurrencyTesting", targets: ["AnoleConcurrencyTesting"]),
  ],
  targets: [
    .target(
      name: "AnoleConcurrency",
      swiftSettings: settings
    ),
    .target(
      name: "AnoleConcurrencyTesting",
      dependencies: ["AnoleConcurrency"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleConcurrencyTests",
      dependencies: ["AnoleConcurrency", "AnoleConcurrencyTesting"],
      swiftSettings: settings
    ),
  ]
)
