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
  name: "anole-emulator",
  products: [
    .library(name: "AnoleEmulator", targets: ["AnoleEmulator"])
  ],
  dependencies: [
    .package(path: "../Analysis"),
    .package(path: "../Concurrency"),
    .package(path: "../Evaluation"),
    .package(path: "../Hashing"),
    .package(path: "../Models"),
    .package(path: "../Networking"),
    .package(path: "../Targeting"),
  ],
  targets: [
    .systemLibrary(
      name: "CAnoleMicrohttpdSystem",
      pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"])]
    ),
    .target(
      name: "CAnoleMicrohttpd",
      dependencies: ["CAnoleMicrohttpdSystem"]
    ),
    .target(
      name: "CAnoleControlPage",
      exclude: ["Files"]
    ),
    .target(
      name: "AnoleEmulator",
      dependencies: [
        "CAnoleControlPage",
        "CAnoleMicrohttpd",
        .product(name: "AnoleAnalysis", package: "Analysis"),
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
        .product(name: "AnoleHashing", package: "Hashing"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleTargeting", package: "Targeting"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleEmulatorTests",
      dependencies: [
        "AnoleEmulator",
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleConcurrencyTesting", package: "Concurrency"),
        .product(name: "AnoleEvaluation", package: "Evaluation"),
        .product(name: "AnoleModels", package: "Models"),
        .product(name: "AnoleNetworking", package: "Networking"),
        .product(name: "AnoleNetworkingTesting", package: "Networking"),
      ],
      swiftSettings: settings
    ),
  ]
)
