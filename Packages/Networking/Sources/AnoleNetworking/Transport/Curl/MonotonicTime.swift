// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  import Glibc

  /// The clock of the event loop: the one by which the kernel and libcurl measure their waiting,
  /// which is why it is not a parameter.
  ///
  /// Nanoseconds since some moment before.
  enum MonotonicTime {
    static var now: UInt64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The moment after a span; limits of zero and less have passed already, those beyond 2^63 ns never do.
    static func after(_ duration: Duration) -> UInt64 {
      let (seconds, attoseconds) = duration.components
      guard seconds >= 0, attoseconds >= 0 else { return 0 }
      guard seconds < Int64.max / 1_000_000_000 - 1 else { return .max }
      let span = UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
      return span == 0 ? 0 : now + span
    }
  }

#endif
