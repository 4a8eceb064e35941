// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// What the process holds of the system's.
struct ProcessUse: Sendable, CustomStringConvertible {
  let descriptors: Int
  let threads: Int
  /// The memory that is present, in bytes: the second number of `/proc/self/statm`.
  let resident: Int

  static var now: ProcessUse {
    let pages = ProcessState.read("/proc/self/statm")?.split(separator: " ").dropFirst().first
    return ProcessUse(
      descriptors: ProcessState.entries(of: "/proc/self/fd").count,
      threads: ProcessState.entries(of: "/proc/self/task").count,
      resident: (pages.flatMap { Int($0) } ?? 0) * Int(getpagesize()))
  }

  var description: String {
    "\(descriptors) descriptors, \(threads) threads, \(resident >> 10) KiB resident"
  }

  /// Expects that nothing has stayed behind since an earlier moment.
  ///
  /// - Parameters:
  ///   - slack: The most bytes by which the memory may have grown.
  ///   - closing: How many connections may still be on their way to their end.
  func expectFlat(since earlier: ProcessUse, slack: Int, closing: Int = 0) {
    // Threads of the pool of tasks come and go; there are never many.
    let isFlat =
      descriptors <= earlier.descriptors + closing && threads <= earlier.threads + 8 + closing
      && resident <= earlier.resident + slack && earlier.resident > 0
    guard !isFlat else { return }
    Issue.record("something stays behind; before: \(earlier); after: \(self)")
  }

  /// True where memory is not given back at once, so that its size says nothing.
  static let hasSanitizer = ["__asan_init", "__tsan_init"].contains { (name: String) in
    dlsym(nil, name) != nil
  }
}
