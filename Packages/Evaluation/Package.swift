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
  name: "anole-evaluation",
  products: [
    .library(name: "AnoleEvaluation", targets: ["AnoleEvaluation"])
  ],
  dependencies: [
    .package(path: "../Models"),
    .package(path: "../Hashing"),
    .package(path: "../Targeting"),
  ],
  targets: [
    .target(
      name: "AnoleEvaluation",
      dependencies: [
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleHashing", package: "Hashing"),
        .product(name: "AnoleTargeting", package: "Targeting"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleEvaluationTests",
      dependencies: [
        "AnoleEvaluation",
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleModelsTesting", package: "Models"),
        .product(name: "AnoleHashing", package: "Hashing"),
        .product(name: "AnoleTargeting", package: "Targeting"),
      ],
      resources: [.copy("Fixtures")],
      swiftSettings: settings
    ),
  ]
)
