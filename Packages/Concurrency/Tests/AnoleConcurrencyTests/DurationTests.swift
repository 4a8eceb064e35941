// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import Testing

@Suite("Durations in milliseconds")
struct DurationTests {
  @Test(
    "fractions are cut off towards zero, and what does not fit is the limit",
    arguments: [
      (Duration.zero, 0), (.milliseconds(1_500), 1_500), (.microseconds(1_999), 1),
      (.microseconds(-1_999), -1), (.seconds(-3), -3_000),
      (.seconds(Int64.max), Int64.max), (.seconds(Int64.min), Int64.min),
      (.seconds(Int64.max / 1_000) + .milliseconds(900), Int64.max),
      (.seconds(Int64.min / 1_000) - .milliseconds(900), Int64.min),
    ] as [(Duration, Int64)])
  func milliseconds(_ duration: Duration, _ expected: Int64) {
    #expect(duration.wholeMilliseconds == expected)
  }
}
