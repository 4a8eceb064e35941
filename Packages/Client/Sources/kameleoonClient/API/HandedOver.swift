// SPDX-License-Identifier: Apache-2.0

/// A closure of the application on its way to the callback executor.
///
/// - Note: `@unchecked Sendable` is needed because the documented methods take closures that are not
///   `@Sendable`, so that applications may touch their own state in them. It is safe because the caller
///   hands the closure over: the client never calls it on the calling thread's behalf, but only on the
///   callback executor, one at a time, which the documentation of ``KameleoonClient`` promises and
///   applications choose by ``ClientOptions/callbackExecutor``.
struct HandedOver<Value>: @unchecked Sendable {
  /// The closure; call it on the callback executor only.
  let run: (Value) -> Void

  init(_ run: @escaping (Value) -> Void) {
    self.run = run
  }
}
