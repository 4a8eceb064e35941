// SPDX-License-Identifier: Apache-2.0

/// A call that should have ended long ago.
struct OutOfPatience: Error, CustomStringConvertible {
  let span: Duration

  var description: String { "the call did not end within \(span)" }
}

/// Runs work that should end by itself; cancels it when it takes far too long.
///
/// - Throws: ``OutOfPatience``, and what the work throws.
func within<Value: Sendable>(
  _ span: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try await ContinuousClock().sleep(for: span)
      return nil
    }
    defer { group.cancelAll() }
    guard let first = try await group.next(), let value = first else {
      throw OutOfPatience(span: span)
    }
    return value
  }
}
