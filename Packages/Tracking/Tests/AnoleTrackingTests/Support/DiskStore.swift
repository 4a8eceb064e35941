// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleStorage
import Foundation

/// A store on disk that a test can disturb, and what it reports.
struct DiskStore: Sendable {
  let folder: String
  /// The clock by which a failed disk is tried again.
  let clock = ManualClock()
  let reports = Shared<[StorageReport.Code]>([])
  var limits = StorageLimits()
  var busyTimeout = Duration.zero

  init(folder: String) { self.folder = folder }

  func make(_ wallClock: WallClock) -> SQLiteStorage {
    var configuration = SQLiteStorage.Configuration(folder: folder)
    configuration.limits = limits
    configuration.busyTimeout = busyTimeout
    configuration.wallClock = wallClock
    configuration.time = TimeSource(clock)
    configuration.report = { [reports] report in reports.change { $0.append(report.code) } }
    return SQLiteStorage(configuration)
  }

  /// Lets the time pass after which a failed disk is tried again, or a file is looked at again.
  func passRetryInterval() { clock.advance(by: .seconds(1)) }
}
