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
  name: "anole-targeting",
  products: [
    .library(name: "AnoleTargeting", targets: ["AnoleTargeting"])
  ],
  dependencies: [
    .package(path: "../Models")
  ],
  targets: [
    .systemLibrary(
      name: "CAnolePCRE2System",
      pkgConfig: "libpcre2-8",
      providers: [.apt(["libpcre2-dev"])]
    ),
    .target(
      name: "CAnolePCRE2",
      dependencies: [
        .target(name: "CAnolePCRE2System", condition: .when(platforms: [.linux]))
      ]
    ),
    .target(
      name: "AnoleTargeting",
      dependencies: [
        .product(name: "AnoleModels", package: "Models"),
        .target(name: "CAnolePCRE2", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleTargetingTests",
      dependencies: [
        "AnoleTargeting",
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleModelsTesting", package: "Models"),
      ],
      swiftSettings: settings
    ),
  ]
)
