// SPDX-License-Identifier: Apache-2.0

#if THREAD_SANITIZER || canImport(Darwin)

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// A value that one thread at a time may touch.
  ///
  /// Hold it in a `let`: of a final class, or of another type that is not copied. Inside `withLock`, read
  /// and change the value only: no `await`, no callback, no input or output, no second lock. The lock is
  /// not recursive.
  ///
  /// This form is used under ThreadSanitizer, which does not understand the futex behind `Mutex`, and on
  /// Apple systems, where `Mutex` would ask for a newer system than this package does.
  ///
  /// - Note: `@unchecked Sendable` is needed because the storage is a pair of pointers. It is safe because
  ///   the pointers never change, the value is reached only between locking and unlocking the mutex, and
  ///   both are freed by `deinit`, when no other reference to this value can exist.
  public struct Lock<State: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<State>

    /// Makes an unlocked lock around a value.
    public init(_ initialValue: consuming sending State) {
      mutex = .allocate(capacity: 1)
      mutex.initialize(to: pthread_mutex_t())
      let status = pthread_mutex_init(mutex, nil)
      precondition(status == 0, "a mutex with default attributes cannot be made: \(status)")
      value = .allocate(capacity: 1)
      value.initialize(to: initialValue)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
      pthread_mutex_destroy(mutex)
      mutex.deinitialize(count: 1)
      mutex.deallocate()
    }

    /// Runs a closure that alone may read and change the value.
    ///
    /// - Parameter body: What to do with the value; it runs on the calling thread.
    /// - Returns: What the closure returned.
    /// - Throws: What the closure threw; the lock is free again then.
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }

#else

  public import Synchronization

  /// A value that one thread at a time may touch.
  ///
  /// Hold it in a `let`: of a final class, or of another type that is not copied. Inside `withLock`, read
  /// and change the value only: no `await`, no callback, no input or output, no second lock. The lock is
  /// not recursive.
  ///
  /// It is `Mutex` of the Synchronization module: the value lies inline, and taking a free lock is one
  /// atomic operation. Built with `-DTHREAD_SANITIZER` it is a POSIX mutex, which the sanitizer understands.
  public struct Lock<State: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<State>

    /// Makes an unlocked lock around a value.
    @inlinable
    public init(_ initialValue: consuming sending State) {
      mutex = Mutex(initialValue)
    }

    /// Runs a closure that alone may read and change the value.
    ///
    /// - Parameter body: What to do with the value; it runs on the calling thread.
    /// - Returns: What the closure returned.
    /// - Throws: What the closure threw; the lock is free again then.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      try mutex.withLock(body)
    }
  }

#endif
