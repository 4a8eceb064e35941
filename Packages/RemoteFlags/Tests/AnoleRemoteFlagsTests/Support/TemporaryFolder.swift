// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder of its own for a test, removed with the value.
final class TemporaryFolder: Sendable {
  let path: String

  /// Makes the folder, in memory where that can be had: some tests make thousands of stores.
  init() throws {
    let hasMemory = access("/dev/shm", W_OK) == 0
    let parent =
      hasMemory ? URL(fileURLWithPath: "/dev/shm") : FileManager.default.temporaryDirectory
    path = parent.appendingPathComponent("anole-flags-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    // A folder that cannot be removed harms no other test.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Where the tests put the store.
  var store: String { path + "/store" }
  var database: String { store + "/anole.sqlite" }
}

/// Whether this test program was built with a sanitizer, under which long tests take fewer rounds.
let isSanitized: Bool = {
  #if THREAD_SANITIZER
    return true
  #else
    return dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
  #endif
}()

/// Whether the tests that take minutes run whole.
let isLong = ProcessInfo.processInfo.environment["ANOLE_LONG_TESTS"] == "1"
