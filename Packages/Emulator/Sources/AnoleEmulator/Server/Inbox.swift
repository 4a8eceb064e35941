// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What other threads tell the server's thread, and the pipe that wakes it.
final class Inbox: Sendable {
  enum Message: Sendable {
    /// Something has happened to an exchange: bytes for its stream, or its end.
    case news(Int)
    /// The wait of an exchange is over.
    case waited(Int)
    /// The work for an exchange is done.
    case answered(Int, Answer)
    /// A function has answered the request of an exchange.
    case forwarded(Int, Platform.Forwarding, ForwardedAnswer?)
    /// The stream of an exchange has lived long enough.
    case expired(Int)
    case stop
  }

  /// Readable while messages wait.
  let descriptor: Int32
  private let writer: Int32
  private let messages = Lock<[Message]>([])

  /// Makes an empty inbox, or nil where the system has no descriptors left.
  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    descriptor = ends[0]
    writer = ends[1]
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit {
    close(descriptor)
    close(writer)
  }

  /// Leaves messages and wakes the server's thread; from any thread.
  func post(_ new: [Message]) {
    guard !new.isEmpty else { return }
    let isFirst = messages.withLock { messages in
      defer { messages += new }
      return messages.isEmpty
    }
    guard isFirst else { return }
    var byte: UInt8 = 0
    // The pipe holds at most a byte per emptying, so that it cannot be full.
    _ = write(writer, &byte, 1)
  }

  /// Takes all messages; on the server's thread.
  func take() -> [Message] {
    var bytes: [UInt8] = Array(repeating: 0, count: 64)
    while read(descriptor, &bytes, bytes.count) > 0 {}
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
