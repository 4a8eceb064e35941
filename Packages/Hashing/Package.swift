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
  name: "anole-hashing",
  products: [
    .library(name: "AnoleHashing", targets: ["AnoleHashing"])
  ],
  targets: [
    .target(name: "CAnoleSHA256"),
    .target(
      name: "AnoleHashing",
      dependencies: ["CAnoleSHA256"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleHashingTests",
      dependencies: ["AnoleHashing", "CAnoleSHA256"],
      resources: [.copy("Fixtures")],
      swiftSettings: settings
    ),
  ]
)
