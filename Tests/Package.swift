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
    .package(path: "../Packages/Client"),
    .package(path: "../Packages/CodeGeneration"),
    .package(path: "../Packages/Concurrency"),
    .package(path: "../Packages/Emulator"),
    .package(path: "../Packages/Evaluation"),
    .package(path: "../Packages/Models"),
    .package(path: "../Packages/Networking"),
    .package(path: "../Packages/Targeting"),
    .package(path: "../Packages/Testing"),
  ],
  targets: [
    .testTarget(
      name: "AnoleConsumerTests",
      dependencies: [
        .product(name: "AnoleCodeGeneration", package: "CodeGeneration"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleNetworkingTesting", package: "Networking"),
      ],
      path: "ConsumerTests",
      swiftSettings: settings
    ),
    // Built as an application is: Swift 6 mode, no further features.
    .target(
      name: "AnoleDocumentationExamples",
      dependencies: [
        .product(name: "kameleoonClient", package: "Client")
      ],
      path: "DocumentationExamples"
    ),
    .executableTarget(
      name: "AnoleDocumentationRunner",
      dependencies: [
        "AnoleDocumentationExamples",
        .product(name: "kameleoonClient", package: "Client"),
      ],
      path: "DocumentationRunner"
    ),
    .testTarget(
      name: "AnoleDocumentationExamplesTests",
      dependencies: [
        "AnoleDocumentationExamples",
        "AnoleDocumentationRunner",
        .product(name: "kameleoonClient", package: "Client"),
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleEmulator", package: "Emulator"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleTesting", package: "Testing"),
      ],
      path: "DocumentationExamplesTests",
      resources: [.copy("Fixtures")],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleOpenFeatureTests",
      dependencies: [
        .product(name: "AnoleEmulator", package: "Emulator"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleNetworkingTesting", package: "Networking"),
        .product(name: "AnoleTargeting", package: "Targeting"),
      ],
      path: "OpenFeatureTests",
      resources: [.copy("Fixtures")],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleBrowserTests",
      dependencies: [
        .product(name: "kameleoonClient", package: "Client"),
        .product(name: "AnoleEmulator", package: "Emulator"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleNetworkingTesting", package: "Networking"),
        .product(name: "AnoleTesting", package: "Testing"),
      ],
      path: "BrowserTests",
      resources: [.copy("Fixtures")],
      swiftSettings: settings
    ),
  ]
)
