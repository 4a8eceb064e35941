// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleStorage
import AnoleTracking

/// Accepts an event for each nonce in order, a few at a time, and sends in between.
///
/// `accepted N` says that all nonces below N are on disk.
func produce(_ tracker: Tracker, nonces: Range<Int>) async {
  tracker.start()
  var next = nonces.lowerBound
  while next < nonces.upperBound {
    let end = min(next + 1 + next % 3, nonces.upperBound)
    for number in next..<end {
      tracker.submit(
        [.conversion(goalID: Int64(number))], of: .visitorCode("visitor \(number % 11)"))
    }
    guard await tracker.persist() == .durable else { return say("memory") }
    next = end
    say("accepted \(next)")
    if next % 4 == 0 { say("flushed \(await tracker.flush().events)") }
  }
  await tracker.close()
  say("done")
}
