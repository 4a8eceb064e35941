// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc

  /// Runs work that blocks on a thread of its own, so that it holds up no other test.
  ///
  /// Test support. Tasks have few threads, which blocking work must not take.
  ///
  /// - Parameter work: Runs to its end, whether or not the calling task is cancelled.
  /// - Returns: What the work returned.
  /// - Throws: What the work threw.
  public func onThread<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      BlockingThread.start { continuation.resume(with: Result { try work() }) }
    }
  }

  /// Starts threads: scripts block, and must not take those of the task pool.
  package enum BlockingThread: Sendable {
    package static func start(_ body: @escaping @Sendable () -> Void) {
      final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
      }
      var thread = pthread_t()
      let box = Unmanaged.passRetained(Box(body)).toOpaque()
      let status = pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
          return nil
        }, box)
      precondition(status == 0, "no thread for a test")
      pthread_detach(thread)
    }
  }
#endif
