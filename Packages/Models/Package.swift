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
  name: "anole-models",
  products: [
    .library(name: "AnoleModels", targets: ["AnoleModels"]),
    .library(name: "AnoleModelsTesting", targets: ["AnoleModelsTesting"]),
  ],
  targets: [
    .target(name: "AnoleModels", swiftSettings: settings),
    .target(
      name: "AnoleModelsTesting", dependencies: ["AnoleModels"], swiftSettings: settings),
    .testTarget(
      name: "AnoleModelsTests",
      dependencies: ["AnoleModels", "AnoleModelsTesting"],
      resources: [.copy("Fixtures")],
      swiftSettings: settings
    ),
  ]
)
