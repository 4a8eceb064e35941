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
  name: "anole-tests",
  dependencies: [
    .package(path: "../Packages/Models")
  ],
  targets: [
    .testTarget(
      name: "AnoleConsumerTests",
      dependencies: [
        .product(name: "AnoleModels", package: "Models")
      ],
      path: "ConsumerTests",
      swiftSettings: settings
    )
  ]
)
