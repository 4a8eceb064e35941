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
  name: "anole-analysis",
  products: [
    .library(name: "AnoleAnalysis", targets: ["AnoleAnalysis"])
  ],
  dependencies: [
    .package(path: "../Models"),
    .package(path: "../Hashing"),
    .package(path: "../Targeting"),
    .package(path: "../Evaluation"),
  ],
  targets: [
    .target(
      name: "AnoleAnalysis",
      dependencies: [
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleTargeting", package: "Targeting"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleAnalysisTests",
      dependencies: [
        "AnoleAnalysis",
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleModelsTesting", package: "Models"),
        .product(name: "AnoleHashing", package: "Hashing"),
        .product(name: "AnoleTargeting", package: "Targeting"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
      ],
      resources: [.copy("Fixtures")],
      swiftSettings: settings
    ),
  ]
)
