// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What long tests ask about the run that they are part of.
public enum TestRun: Sendable {
  /// Whether this test program was built with a sanitizer, under which long tests take fewer rounds.
  public static let isSanitized: Bool = {
    #if THREAD_SANITIZER
      return true
    #else
      return dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
    #endif
  }()

  /// Whether the long versions of long tests were asked for, with `ANOLE_LONG_TESTS=1` in the environment.
  public static let isLong = ProcessInfo.processInfo.environment["ANOLE_LONG_TESTS"] == "1"
}
