// SPDX-License-Identifier: Apache-2.0

/// Calls what belongs to the main actor, from a closure that the callback executor runs.
struct MainThread: Sendable {
  /// Whether the host has given an executor of its own in place of the main queue.
  let isReplaced: Bool

  func run(_ body: @escaping @MainActor @Sendable () -> Void) {
    guard isReplaced else { return MainActor.assumeIsolated(body) }
    // Needed because a program without a main queue has no other way to be called. Safe because such a
    // host declares its executor to be what the main thread is elsewhere: callbacks run there one after
    // another. The two types differ in nothing but the isolation, as in `assumeIsolated` itself.
    let plain = unsafeBitCast(body, to: (@Sendable () -> Void).self)
    plain()
  }
}
