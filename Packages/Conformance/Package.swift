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
  name: "anole-conformance",
  products: [
    .library(name: "AnoleConformance", targets: ["AnoleConformance"])
  ],
  dependencies: [
    .package(path: "../Models"),
    .package(path: "../Hashing"),
    .package(path: "../Targeting"),
    .package(path: "../Evaluation"),
  ],
  targets: [
    .target(
      name: "AnoleConformance",
      dependencies: [
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleHashing", package: "Hashing"),
        .product(name: "AnoleTargeting", package: "Targeting"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleConformanceTests",
      dependencies: [
        "AnoleConformance",
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleHashing", package: "Hashing"),
        .product(name: "AnoleTargeting", package: "Targeting"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
      ],
      swiftSettings: settings
    ),
  ]
)
