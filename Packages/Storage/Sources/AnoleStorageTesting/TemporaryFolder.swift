// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder of its own for a test, removed with the value.
///
/// Test support. The folder is for its owner only.
public final class TemporaryFolder: Sendable {
  /// The folder.
  public let path: String

  /// Makes the folder.
  ///
  /// - Parameter isInMemory: Whether it may lie in memory, for tests that make hundreds of stores.
  /// - Throws: What Foundation says where the folder cannot be made.
  public init(isInMemory: Bool = false) throws {
    let hasMemory = isInMemory && access("/dev/shm", W_OK) == 0
    let parent =
      hasMemory ? URL(fileURLWithPath: "/dev/shm") : FileManager.default.temporaryDirectory
    path = parent.appendingPathComponent("anole-test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    // A folder that cannot be removed harms no other test.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Where tests put a store: a folder that is not there yet.
  public var store: String { path + "/store" }

  /// The file of that store.
  public var database: String { store + "/anole.sqlite" }
}
