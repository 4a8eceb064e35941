// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Where closures of the host application run.
///
/// An executor runs what it is given exactly once, later or now, in the order of the calls made by one
/// thread. Never call it with a lock held: an executor may run the work before it returns.
public protocol CallbackExecutor: Sendable {
  /// Runs a closure, or has it run.
  ///
  /// - Parameter work: The closure; it must not block for long, since later work may wait for it.
  func execute(_ work: @escaping @Sendable () -> Void)
}

/// Runs callbacks one after another on a dispatch queue.
///
/// `execute` never waits: the work always runs after it has returned or on another thread.
public struct SerialCallbackExecutor: CallbackExecutor {
  private let queue: DispatchQueue

  /// The main queue.
  ///
  /// A program on Linux has to drain it, by `dispatchMain()` or an `async` main function.
  public static let main = SerialCallbackExecutor(queue: .main)

  /// What the platform's users expect: the main queue on Apple systems, a serial queue of its own elsewhere.
  ///
  /// - Parameter label: The queue's name in a debugger, where a queue is made.
  public static func platformDefault(label: String) -> SerialCallbackExecutor {
    #if canImport(Darwin)
      return .main
    #else
      return SerialCallbackExecutor(label: label)
    #endif
  }

  /// Makes an executor with a serial queue of its own.
  ///
  /// - Parameter label: The queue's name in a debugger.
  public init(label: String) {
    queue = DispatchQueue(label: label)
  }

  private init(queue: DispatchQueue) {
    self.queue = queue
  }

  /// Puts a closure at the end of the queue.
  public func execute(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }
}
