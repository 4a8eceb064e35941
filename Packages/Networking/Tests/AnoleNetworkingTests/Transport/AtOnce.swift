// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Runs callbacks on the thread that reports them: the transport's own, in these tests.
struct AtOnce: CallbackExecutor {
  func execute(_ work: @escaping @Sendable () -> Void) {
    work()
  }
}
