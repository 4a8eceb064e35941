// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value that any task may read and replace.
final class Published<Value: Sendable> {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withValue<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  var current: Value { withValue { $0 } }
}

// Safe: every access holds the lock. Needed: tasks share it, and a lock that the Thread Sanitizer
// understands cannot be told to the compiler.
extension Published: @unchecked Sendable {}
