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
    .package(path: "../Models")
  ],
  targets: [
    .target(
      name: "AnoleTracking",
      dependencies: [
        .product(name: "AnoleModels", package: "Models")
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleTrackingTests",
      dependencies: [
        "AnoleTracking",
        .product(name: "AnoleModels", package: "Models"),
      ],
      resources: [.copy("Fixtures")],
      swiftSettings: settings
    ),
  ]
)
