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
  name: "anole-code-generation",
  products: [
    .library(name: "AnoleCodeGeneration", targets: ["AnoleCodeGeneration"])
  ],
  dependencies: [
    .package(path: "../Models")
  ],
  targets: [
    .target(
      name: "AnoleCodeGeneration",
      dependencies: [
        .product(name: "AnoleModels", package: "Models")
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleCodeGenerationTests",
      dependencies: [
        "AnoleCodeGeneration",
        .product(name: "AnoleModels", package: "Models"),
      ],
      resources: [.copy("Fixtures")],
      swiftSettings: settings
    ),
  ]
)
