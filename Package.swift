// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The libraries of all packages once more, by path, for projects that depend on the repository by
// URL. The manifests under Packages declare the same; `scripts/check-manifests` compares them.

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
  .treatWarning("ExplicitSendable", as: .error),
]

let package = Package(
  name: "anole",
  products: [
    .library(name: "AnoleModels", targets: ["AnoleModels"]),
    .library(name: "AnoleModelsTesting", targets: ["AnoleModelsTesting"]),
    .library(name: "AnoleHashing", targets: ["AnoleHashing"]),
    .library(name: "AnoleTargeting", targets: ["AnoleTargeting"]),
    .library(name: "AnoleEvaluation", targets: ["AnoleEvaluation"]),
    .library(name: "AnoleAnalysis", targets: ["AnoleAnalysis"]),
    .library(name: "AnoleConformance", targets: ["AnoleConformance"]),
    .library(name: "AnoleWireConformance", targets: ["AnoleWireConformance"]),
    .library(name: "AnoleTracking", targets: ["AnoleTracking"]),
    .library(name: "AnoleConcurrency", targets: ["AnoleConcurrency"]),
    .library(name: "AnoleConcurrencyTesting", targets: ["AnoleConcurrencyTesting"]),
    .library(name: "AnoleNetworking", targets: ["AnoleNetworking"]),
    .library(name: "AnoleNetworkingTesting", targets: ["AnoleNetworkingTesting"]),
    .library(name: "AnoleStorage", targets: ["AnoleStorage"]),
    .library(name: "AnoleStorageTesting", targets: ["AnoleStorageTesting"]),
    .library(name: "AnoleEmulator", targets: ["AnoleEmulator"]),
    .library(name: "kameleoonClient", targets: ["kameleoonClient"]),
    .library(name: "AnoleTesting", targets: ["AnoleTesting"]),
    .library(name: "AnoleCodeGeneration", targets: ["AnoleCodeGeneration"]),
    .library(name: "AnoleRemoteFlags", targets: ["AnoleRemoteFlags"]),
    .library(name: "PushwooshCore", targets: ["PushwooshCore"]),
    .library(name: "PushwooshFramework", targets: ["PushwooshFramework"]),
  ],
  targets: [
    .target(
      name: "AnoleModels",
      path: "Packages/Models/Sources/AnoleModels",
      swiftSettings: settings
    ),
    .target(
      name: "AnoleModelsTesting",
      dependencies: ["AnoleModels"],
      path: "Packages/Models/Sources/AnoleModelsTesting",
      swiftSettings: settings
    ),
    .target(
      name: "CAnoleSHA256",
      path: "Packages/Hashing/Sources/CAnoleSHA256"
    ),
    .target(
      name: "AnoleHashing",
      dependencies: ["CAnoleSHA256"],
      path: "Packages/Hashing/Sources/AnoleHashing",
      swiftSettings: settings
    ),
    .systemLibrary(
      name: "CAnolePCRE2System",
      path: "Packages/Targeting/Sources/CAnolePCRE2System",
      pkgConfig: "libpcre2-8",
      providers: [.apt(["libpcre2-dev"])]
    ),
    .target(
      name: "CAnolePCRE2",
      dependencies: [
        .target(name: "CAnolePCRE2System", condition: .when(platforms: [.linux]))
      ],
      path: "Packages/Targeting/Sources/CAnolePCRE2"
    ),
    .target(
      name: "AnoleTargeting",
      dependencies: [
        "AnoleModels",
        .target(name: "CAnolePCRE2", condition: .when(platforms: [.linux])),
      ],
      path: "Packages/Targeting/Sources/AnoleTargeting",
      swiftSettings: settings
    ),
    .target(
      name: "AnoleEvaluation",
      dependencies: ["AnoleModels", "AnoleHashing", "AnoleTargeting"],
      path: "Packages/Evaluation/Sources/AnoleEvaluation",
      swiftSettings: settings
    ),
    .target(
      name: "AnoleAnalysis",
      dependencies: ["AnoleModels", "AnoleTargeting", "AnoleEvaluation"],
      path: "Packages/Analysis/Sources/AnoleAnalysis",
      swiftSettings: settings
    ),
    .target(
      name: "AnoleConformance",
      dependencies: ["AnoleModels", "AnoleHashing", "AnoleTargeting", "AnoleEvaluation"],
      path: "Packages/Conformance/Sources/AnoleConformance",
      swiftSettings: settings
    ),
    .target(
      name: "AnoleWireRecordings",
      dependencies: ["AnoleConformance", "AnoleModels"],
      path: "Packages/Conformance/Sources/AnoleWireRecordings",
      swiftSettings: settings
    ),
    .target(
      name: "AnoleWireConformance",
      dependencies: [
        "AnoleConformance", "AnoleWireRecordings", "AnoleConcurrency", "AnoleConcurrencyTesting",
        "AnoleEmulator", "AnoleModels", "AnoleNetworking", "AnoleTracking", "kameleoonClient",
      ],
      path: "Packages/Conformance/Sources/AnoleWireConformance",
      swiftSettings: settings
    ),
    .target(
      name: "AnoleTracking",
      dependencies: ["AnoleConcurrency", "AnoleModels", "AnoleNetworking", "AnoleStorage"],
      path: "Packages/Tracking/Sources/AnoleTracking",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "AnoleTrackingCrashWriter",
      dependencies: [
        "AnoleTracking", "AnoleConcurrency", "AnoleModels", "AnoleNetworking", "AnoleStorage",
      ],
      path: "Packages/Tracking/Sources/AnoleTrackingCrashWriter",
      swiftSettings: settings
    ),
    .target(
      name: "AnoleConcurrency",
      path: "Packages/Concurrency/Sources/AnoleConcurrency",
      swiftSettings: settings
    ),
    .target(
      name: "AnoleConcurrencyTesting",
      dependencies: ["AnoleConcurrency"],
      path: "Packages/Concurrency/Sources/AnoleConcurrencyTesting",
      swiftSettings: settings
    ),
    .systemLibrary(
      name: "CAnoleCurlSystem",
      path: "Packages/Networking/Sources/CAnoleCurlSystem",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]
    ),
    .systemLibrary(
      name: "CAnoleZlibSystem",
      path: "Packages/Networking/Sources/CAnoleZlibSystem",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]
    ),
    .target(
      name: "CAnoleCurl",
      dependencies: ["CAnoleCurlSystem"],
      path: "Packages/Networking/Sources/CAnoleCurl"
    ),
    .target(
      name: "CAnoleZlib",
      dependencies: ["CAnoleZlibSystem"],
      path: "Packages/Networking/Sources/CAnoleZlib"
    ),
    .target(
      name: "AnoleNetworking",
      dependencies: ["CAnoleCurl", "CAnoleZlib", "AnoleConcurrency"],
      path: "Packages/Networking/Sources/AnoleNetworking",
      swiftSettings: settings
    ),
    .target(
      name: "AnoleNetworkingTesting",
      dependencies: ["AnoleConcurrency"],
      path: "Packages/Networking/Sources/AnoleNetworkingTesting",
      swiftSettings: settings
    ),
    .systemLibrary(
      name: "CAnoleSQLiteSystem",
      path: "Packages/Storage/Sources/CAnoleSQLiteSystem",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]
    ),
    .target(
      name: "CAnoleSQLite",
      dependencies: ["CAnoleSQLiteSystem"],
      path: "Packages/Storage/Sources/CAnoleSQLite"
    ),
    .target(
      name: "AnoleStorage",
      dependencies: ["CAnoleSQLite", "AnoleConcurrency"],
      path: "Packages/Storage/Sources/AnoleStorage",
      swiftSettings: settings
    ),
    .target(
      name: "AnoleStorageTesting",
      path: "Packages/Storage/Sources/AnoleStorageTesting",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "AnoleStorageCrashWriter",
      dependencies: ["AnoleStorage", "AnoleConcurrency"],
      path: "Packages/Storage/Sources/AnoleStorageCrashWriter",
      swiftSettings: settings
    ),
    .systemLibrary(
      name: "CAnoleMicrohttpdSystem",
      path: "Packages/Emulator/Sources/CAnoleMicrohttpdSystem",
      pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"])]
    ),
    .target(
      name: "CAnoleMicrohttpd",
      dependencies: ["CAnoleMicrohttpdSystem"],
      path: "Packages/Emulator/Sources/CAnoleMicrohttpd"
    ),
    .target(
      name: "CAnoleControlPage",
      path: "Packages/Emulator/Sources/CAnoleControlPage",
      exclude: ["Files"]
    ),
    .target(
      name: "AnoleEmulator",
      dependencies: [
        "CAnoleControlPage", "CAnoleMicrohttpd", "AnoleAnalysis", "AnoleConcurrency",
        "AnoleEvaluation", "AnoleHashing", "AnoleModels", "AnoleNetworking", "AnoleTargeting",
      ],
      path: "Packages/Emulator/Sources/AnoleEmulator",
      swiftSettings: settings
    ),
    .target(
      name: "kameleoonClient",
      dependencies: [
        "AnoleConcurrency", "AnoleEvaluation", "AnoleModels", "AnoleNetworking", "AnoleStorage",
        "AnoleTargeting", "AnoleTracking",
      ],
      path: "Packages/Client/Sources/kameleoonClient",
      swiftSettings: settings
    ),
    .target(
      name: "AnoleTesting",
      dependencies: [
        "kameleoonClient", "AnoleConcurrency", "AnoleConcurrencyTesting", "AnoleEvaluation",
        "AnoleNetworking",
      ],
      path: "Packages/Testing/Sources/AnoleTesting",
      swiftSettings: settings
    ),
    .target(
      name: "AnoleCodeGeneration",
      dependencies: ["AnoleModels"],
      path: "Packages/CodeGeneration/Sources/AnoleCodeGeneration",
      swiftSettings: settings
    ),
    .target(
      name: "AnoleRemoteFlags",
      dependencies: ["AnoleModels", "AnoleConcurrency", "AnoleNetworking", "AnoleStorage"],
      path: "Packages/RemoteFlags/Sources/AnoleRemoteFlags",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "AnoleRemoteFlagsCrashWriter",
      dependencies: ["AnoleRemoteFlags", "AnoleConcurrency", "AnoleNetworking", "AnoleStorage"],
      path: "Packages/RemoteFlags/Sources/AnoleRemoteFlagsCrashWriter",
      swiftSettings: settings
    ),
    .target(
      name: "PushwooshCore",
      dependencies: [
        "AnoleRemoteFlags", "AnoleModels", "AnoleConcurrency", "AnoleNetworking", "AnoleStorage",
      ],
      path: "Packages/RemoteFlags/Sources/PushwooshCore",
      swiftSettings: settings
    ),
    .target(
      name: "PushwooshFramework",
      dependencies: ["PushwooshCore"],
      path: "Packages/RemoteFlags/Sources/PushwooshFramework",
      swiftSettings: settings
    ),
  ]
)
