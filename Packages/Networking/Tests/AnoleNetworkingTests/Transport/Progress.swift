// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// How far a script has come.
final class Progress: Sendable {
  private let count = Lock(0)

  var sent: Int { count.withLock { $0 } }

  func record(_ sent: Int) {
    count.withLock { $0 = sent }
  }
}
