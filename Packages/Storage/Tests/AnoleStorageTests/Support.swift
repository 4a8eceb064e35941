// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleStorage
import AnoleStorageTesting
import Foundation
import Testing

extension TemporaryFolder {
  /// The names of the store's files.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: store).sorted()
  }

  func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }
}

/// Collects what a store reports.
final class Reports: Sendable {
  private let list = Lock<[StorageReport]>([])
  var all: [StorageReport] { list.withLock { $0 } }
  var codes: [StorageReport.Code] { all.map(\.code) }
  func add(_ report: StorageReport) { list.withLock { $0.append(report) } }
}

/// A store on disk with clocks that stand still.
struct Fixture {
  let folder: TemporaryFolder
  let reports = Reports()
  let clock = ManualClock()
  let wall = ManualWallClock()
  let store: SQLiteStorage

  init(
    _ folder: TemporaryFolder? = nil,
    _ adjust: (inout SQLiteStorage.Configuration) -> Void = { _ in }
  ) throws {
    self.folder = try folder ?? TemporaryFolder()
    var configuration = SQLiteStorage.Configuration(folder: self.folder.store)
    configuration.durability = .normal
    configuration.time = TimeSource(clock)
    configuration.wallClock = wall.clock
    configuration.report = { [reports] in reports.add($0) }
    adjust(&configuration)
    store = SQLiteStorage(configuration)
  }

  /// Lets the time pass after which a failed disk is tried again.
  func passRetryInterval() { clock.advance(by: .seconds(1)) }
}

/// The implementations that every test of behaviour runs against.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory
  case sqlite

  var testDescription: String { rawValue }

  func make(
    in folder: TemporaryFolder, wall: ManualWallClock, limits: StorageLimits = StorageLimits(),
    reports: Reports = Reports()
  ) -> any StateStore {
    switch self {
    case .memory:
      return InMemoryStorage(limits: limits, wallClock: wall.clock) { reports.add($0) }
    case .sqlite:
      var configuration = SQLiteStorage.Configuration(folder: folder.store)
      configuration.durability = .normal
      configuration.limits = limits
      configuration.wallClock = wall.clock
      configuration.report = { reports.add($0) }
      return SQLiteStorage(configuration)
    }
  }
}

/// An item whose body is a text.
func item(_ text: String, group: String? = nil, at time: Int64 = 1_700_000_000_000) -> OutboxItem {
  OutboxItem(body: Array(text.utf8), group: group, acceptedAt: time)
}

extension OutboxClaim {
  var texts: [String] { items.map { String(decoding: $0.content.body, as: UTF8.self) } }
}

extension Outbox {
  func claimAll() async -> OutboxClaim {
    await claim(upTo: .max, bytes: .max, lease: .seconds(60))
  }
}

/// A generator with a fixed sequence.
struct Dice {
  var generator: SplitMix64
  init(seed: UInt64) { generator = SplitMix64(seed: seed) }
  mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &generator) }
}
