// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Sentences that come up on the way, from any thread.
final class Remarks: Sendable {
  private let list = Lock<[String]>([])

  /// The sentences in their order.
  var all: [String] { list.withLock { $0 } }

  func add(_ text: String) { list.withLock { $0.append(text) } }
}
