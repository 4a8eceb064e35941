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
  name: "anole-benchmarks",
  products: [
    .executable(name: "anole-bench", targets: ["AnoleBench"])
  ],
  dependencies: [
    .package(path: "../Packages/Models"),
    .package(path: "../Packages/Targeting"),
    .package(path: "../Packages/Evaluation"),
    .package(path: "../Packages/Tracking"),
  ],
  targets: [
    .executableTarget(
      name: "AnoleBench",
      dependencies: [
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleTargeting", package: "Targeting"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
        .product(name: "AnoleTracking", package: "Tracking"),
      ],
      swiftSettings: settings
    )
  ]
)
