// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Calls `action` until it succeeds, with longer and longer waits; returns how often it was called.
func retry(
  clock: some Clock<Duration>, random: RandomSource, action: () async -> Bool
) async throws -> Int {
  let time = TimeSource(clock)
  var calls = 1
  while !(await action()) {
    let longest = Duration.seconds(1 << min(calls, 6))
    try await time.sleep(for: random.duration(in: longest / 2...longest))
    calls += 1
  }
  return calls
}
