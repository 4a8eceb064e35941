// SPDX-License-Identifier: Apache-2.0

import AnoleStorage

/// Sends what waits in an outbox, ten at a time; returns how many were sent.
func drain(_ outbox: some Outbox, send: ([[UInt8]]) async -> Bool) async -> Int {
  var sent = 0
  while true {
    let claim = await outbox.claim(upTo: 10, bytes: 100_000, lease: .seconds(60))
    guard !claim.isEmpty else { return sent }
    guard await send(claim.items.map(\.content.body)) else {
      await outbox.release(claim.receipts)
      return sent
    }
    await outbox.acknowledge(claim.receipts)
    sent += claim.items.count
  }
}
