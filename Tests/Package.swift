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
    .package(path: "../Packages/Concurrency"),
    .package(path: "../Packages/Emulator"),
    .package(path: "../Packages/Models"),
    .package(path: "../Packages/Networking"),
    .package(path: "../Packages/Testing"),
  ],
  targets: [
    .testTarget(
      name: "AnoleConsumerTests",
      dependencies: [
        .product(name: "AnoleModels", package: "Models")
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
  ]
)
