// SPDX-License-Identifier: Apache-2.0

public import AnoleStorage

extension DropReason {
  /// The server answered 400 to this event alone.
  public static let rejected = DropReason("rejected")
  /// The server answered 413 to this event alone.
  public static let tooLarge = DropReason("too large")
  /// The stored bytes are whole, but no event of this library.
  public static let malformed = DropReason("malformed")
  /// The disk did not keep up, and the buffer for events in memory was full.
  public static let bufferFull = DropReason("buffer full")
  /// The queue of visitors was full; their data stay unsent and leave when they are queued again.
  public static let queueFull = DropReason("queue full")
  /// The tracker was closed.
  public static let closed = DropReason("closed")
}
