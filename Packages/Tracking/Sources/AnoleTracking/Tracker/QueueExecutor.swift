// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs the tracker's work on a serial queue of its own, so that a slow disk holds up no thread of
/// the pool that all tasks share.
final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "anole.tracking")

  func enqueue(_ job: UnownedJob) {
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}
