// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A small file system in memory, which only a superuser can mount; unmounted with the value.
///
/// Test support.
public final class SmallDisk: Sendable {
  /// Whether this process may mount such a disk.
  public static let isAvailable = geteuid() == 0 && SmallDisk(kibibytes: 64) != nil

  /// The root folder of the disk.
  public let path: String
  private let isMounted: Bool

  /// Mounts a disk; `nil` where that is not allowed.
  public init?(kibibytes: Int) {
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

  /// Where tests put a store: a folder that is not there yet.
  public var store: String { path + "/store" }

  /// Changes the disk, with an option of the `mount` command such as `ro`, `rw` or `size=8m`.
  ///
  /// - Returns: Whether that succeeded.
  public func remount(_ option: String) -> Bool {
    Self.run(["mount", "-o", "remount,\(option)", path])
  }

  /// Fills the disk: what fits is written, the rest fails.
  ///
  /// - Parameter bytes: How many to write at most.
  public func fill(_ bytes: Int = 16 << 20) {
    try? Data(count: bytes).write(to: URL(fileURLWithPath: path + "/ballast"))
  }

  private static func run(_ arguments: [String]) -> Bool {
    // Where the program is missing, nothing can be mounted.
    (try? ChildProcess(arguments[0], Array(arguments.dropFirst())))?.waitUntilExit() == 0
  }
}
