// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder of its own for a test, removed with the value.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("anole-tracking-\(UUID().uuidString)").path
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

/// Whether the long versions of long tests were asked for.
let runsLongTests = ProcessInfo.processInfo.environment["ANOLE_LONG_TESTS"] == "1"
