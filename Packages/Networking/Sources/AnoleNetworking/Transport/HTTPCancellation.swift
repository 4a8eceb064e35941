// SPDX-License-Identifier: Apache-2.0

/// Ends a request that was sent with a completion closure.
///
/// Dropping the value does nothing: the request goes on.
public struct HTTPCancellation: Sendable {
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = action
  }

  /// Cancels the request; its completion receives ``HTTPError/Code/cancelled``.
  ///
  /// Returns at once, from any thread. Does nothing once the request has ended or was cancelled.
  public func cancel() {
    action()
  }
}
