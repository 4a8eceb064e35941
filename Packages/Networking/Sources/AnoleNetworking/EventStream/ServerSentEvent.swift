// SPDX-License-Identifier: Apache-2.0

/// One event of an event stream.
public struct ServerSentEvent: Sendable, Hashable {
  /// The event's name; `message` if the stream gave none.
  public let type: String
  /// The data; several lines are joined by a line feed.
  ///
  /// Byte sequences that are not UTF-8 appear as U+FFFD.
  public let data: String
  /// The last id of the stream up to and including this event; empty if there was none.
  public let lastEventID: String

  /// Makes an event.
  public init(type: String = "message", data: String, lastEventID: String = "") {
    self.type = type
    self.data = data
    self.lastEventID = lastEventID
  }
}
