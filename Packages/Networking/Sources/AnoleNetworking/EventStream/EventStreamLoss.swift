// SPDX-License-Identifier: Apache-2.0

/// Why an event stream is not connected any more.
public enum EventStreamLoss: Sendable, Hashable, CustomStringConvertible {
  /// The server ended the stream.
  case ended
  /// The answer had another status than 200.
  case refused(status: Int)
  /// The answer has the content type of something else, for example of a login page.
  case notAnEventStream(contentType: String)
  /// No answer within the connect limit.
  case connectLimitPassed
  /// No byte within the silence limit.
  case silent
  /// The connection failed.
  case failed(HTTPError)
  /// A line or an event was too large.
  case unreadable(ServerSentEventError)
  /// The consumer was too slow and has missed events.
  case consumerTooSlow

  /// A sentence for a log line.
  public var description: String {
    switch self {
    case .ended: "the server ended the event stream"
    case .refused(let status): "the event stream was answered with status \(status)"
    case .notAnEventStream(let type): "the event stream was answered with content type \(type)"
    case .connectLimitPassed: "the event stream was not answered in time"
    case .silent: "nothing arrived on the event stream for too long"
    case .failed(let error): "the event stream failed: \(error)"
    case .unreadable(let error): "the event stream cannot be read: \(error)"
    case .consumerTooSlow: "events were dropped because nobody took them"
    }
  }
}
