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
  name: "anole-networking",
  products: [
    .library(name: "AnoleNetworking", targets: ["AnoleNetworking"]),
    .library(name: "AnoleNetworkingTesting", targets: ["AnoleNetworkingTesting"]),
  ],
  dependencies: [
    .package(path: "../Concurrency")
  ],
  targets: [
    .systemLibrary(
      name: "CAnoleCurlSystem",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]
    ),
    .systemLibrary(
      name: "CAnoleZlibSystem",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]
    ),
    .target(
      name: "CAnoleCurl",
      dependencies: ["CAnoleCurlSystem"]
    ),
    .target(
      name: "CAnoleZlib",
      dependencies: ["CAnoleZlibSystem"]
    ),
    .target(
      name: "AnoleNetworking",
      dependencies: [
        "CAnoleCurl",
        "CAnoleZlib",
        .product(name: "AnoleConcurrency", package: "Concurrency"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "AnoleNetworkingTesting",
      dependencies: [
        .product(name: "AnoleConcurrency", package: "Concurrency")
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AnoleNetworkingTests",
      dependencies: [
        "AnoleNetworking",
        "AnoleNetworkingTesting",
        .product(name: "AnoleConcurrency", package: "Concurrency"),
        .product(name: "AnoleConcurrencyTesting", package: "Concurrency"),
      ],
      resources: [.copy("Fixtures")],
      swiftSettings: settings
    ),
  ]
)
