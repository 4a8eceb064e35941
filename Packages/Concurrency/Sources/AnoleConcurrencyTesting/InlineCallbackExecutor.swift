// SPDX-License-Identifier: Apache-2.0

public import AnoleConcurrency

/// Runs callbacks at once, on the thread that hands them over.
public struct InlineCallbackExecutor: CallbackExecutor {
  /// Makes an executor.
  public init() {}

  /// Runs the closure and returns when it has ended.
  public func execute(_ work: @escaping @Sendable () -> Void) {
    work()
  }
}
