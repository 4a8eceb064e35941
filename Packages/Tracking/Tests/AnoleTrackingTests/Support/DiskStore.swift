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

/// A small file system in memory, which only a superuser can mount.
final class SmallDisk: Sendable {
  let path: String
  private let isMounted: Bool

  /// Mounts a disk; `nil` where that is not allowed.
  init?(kibibytes: Int) {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("anole-disk-\(UUID().uuidString)").path
    guard mkdir(path, 0o700) == 0 else { return nil }
    isMounted = Self.run(["mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k", "tmpfs", path])
    guard isMounted else { return nil }
  }

  deinit {
    if isMounted { _ = Self.run(["umount", "-l", path]) }
    rmdir(path)
  }

  var store: String { path + "/store" }

  func remount(_ option: String) -> Bool {
    Self.run(["mount", "-o", "remount,\(option)", path])
  }

  /// Fills the disk: what fits is written, the rest fails.
  func fill() {
    try? Data(count: 16 << 20).write(to: URL(fileURLWithPath: path + "/ballast"))
  }

  private static func run(_ arguments: [String]) -> Bool {
    // Where the program is missing, nothing can be mounted.
    (try? ChildProcess(arguments[0], Array(arguments.dropFirst())))?.waitUntilExit() == 0
  }

  static let isAvailable = geteuid() == 0 && SmallDisk(kibibytes: 64) != nil
}
