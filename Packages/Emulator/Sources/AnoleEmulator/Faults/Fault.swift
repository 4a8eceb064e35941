// SPDX-License-Identifier: Apache-2.0

/// Something that goes wrong, on purpose, with the answer to a request.
///
/// Most faults are made by the functions of this type, such as ``status(_:headers:)``; set ``delay`` to
/// combine one with waiting, or fill in ``Changes`` to combine several at once.
public struct Fault: Sendable, Hashable {
  /// What happens instead of the ordinary answer.
  public enum Action: Sendable, Hashable {
    /// An answer, changed.
    case answer(Changes)
    /// No answer at all; the connection stays open until the client closes it or the emulator stops.
    case neverAnswer
    /// The connection is closed when the head of the request has arrived, before its body is read.
    case closeBeforeReading
    /// The connection is closed when the whole request has arrived.
    case closeAfterReading
    /// These bytes are written to the connection as they are, then it is closed. Status line, header
    /// and body are up to you: interim answers, trailers, headers of any size.
    case raw([UInt8], drip: Drip?)
  }

  /// How an answer differs from the ordinary one; what is nil stays as it is.
  ///
  /// With a status or a body the route's own work is not done: no stream is opened, no token issued, no
  /// event accepted.
  public struct Changes: Sendable, Hashable {
    /// The status, 200–999; use ``Action/raw(_:drip:)`` for interim answers.
    public var status: Int?
    /// Fields that replace those with the same name.
    ///
    /// `Content-Length` is ``announcedLength`` here, and a
    /// `Transfer-Encoding` can only be sent with ``Action/raw(_:drip:)``.
    public var headers: [HeaderField] = []
    /// The content type.
    public var contentType: String?
    /// The body.
    public var body: [UInt8]?
    /// How many bytes of the body are sent before the connection is closed.
    public var cutAfter: Int?
    /// The `Content-Length`, less or more than the body has; a stream has none.
    ///
    /// The connection is closed after the body.
    public var announcedLength: Int?
    /// Sends the body a little at a time.
    public var drip: Drip?
    /// Closes the connection after the complete answer, without announcing it.
    public var closesAfterwards = false

    /// No change.
    public init() {}
  }

  /// The pace of a body that is sent a little at a time.
  public struct Drip: Sendable, Hashable {
    /// How many bytes are sent at once, at least one.
    public let bytes: Int
    /// How long to wait after each of them.
    public let interval: Duration

    /// Makes a pace.
    ///
    /// - Precondition: `bytes` is positive.
    public init(bytes: Int, interval: Duration) {
      precondition(bytes > 0, "a drip of \(bytes) bytes would never end: give at least 1")
      self.bytes = bytes
      self.interval = interval
    }
  }

  /// What happens.
  public var action: Action
  /// How long to wait, after the request has arrived, before anything happens.
  ///
  /// What will be answered is decided before the wait. Closing before reading and never answering have no delay.
  public var delay: Duration

  /// Makes a fault.
  public init(_ action: Action, delay: Duration = .zero) {
    self.action = action
    self.delay = delay
  }

  /// Stops the program where the fault cannot be sent; the header fields have been checked when made.
  func check() {
    guard case .answer(let changes) = action else { return }
    precondition(
      changes.status.map { (200...999).contains($0) } ?? true,
      "a fault's status must be from 200 to 999: interim answers are raw bytes")
    precondition(
      HeaderField.isValid(name: "Content-Type", value: changes.contentType ?? ""),
      "a fault's content type must not hold line breaks")
  }
}

extension Fault {
  /// The ordinary answer, later.
  public static func delay(_ duration: Duration) -> Fault {
    Fault(.answer(Changes()), delay: duration)
  }

  /// A status with a sentence as body, for example 503 with `Retry-After`.
  public static func status(_ status: Int, headers: [HeaderField] = []) -> Fault {
    changed {
      $0.status = status
      $0.headers = headers
    }
  }

  /// The connection is closed after a number of bytes of the body.
  public static func cut(afterBytes count: Int) -> Fault { changed { $0.cutAfter = count } }

  /// A `Content-Length` that is not the length of the body.
  public static func announcedLength(_ length: Int) -> Fault {
    changed { $0.announcedLength = length }
  }

  /// Another content type.
  public static func contentType(_ text: String) -> Fault { changed { $0.contentType = text } }

  /// Another body, with status 200 and the route's content type.
  public static func body(_ bytes: [UInt8], contentType: String = "application/json") -> Fault {
    changed {
      $0.body = bytes
      $0.contentType = contentType
    }
  }

  /// An error page as proxies and load balancers send it.
  public static func html(status: Int = 502) -> Fault {
    let page = """
      <!DOCTYPE html>
      <html><head><title>\(status)</title></head><body><h1>\(status)</h1></body></html>

      """
    return changed {
      $0.status = status
      $0.body = Array(page.utf8)
      $0.contentType = "text/html"
    }
  }

  /// The body, a few bytes at a time.
  public static func drip(bytes: Int, every interval: Duration) -> Fault {
    changed { $0.drip = Drip(bytes: bytes, interval: interval) }
  }

  /// The complete answer, after which the connection is closed without announcement.
  public static let closeAfterAnswer = changed { $0.closesAfterwards = true }

  /// No answer until the client closes the connection or the emulator stops.
  public static let neverAnswer = Fault(.neverAnswer)

  /// The connection is closed before the body of the request is read.
  public static let closeBeforeReading = Fault(.closeBeforeReading)

  /// The connection is closed when the request has been read.
  public static let closeAfterReading = Fault(.closeAfterReading)

  /// Bytes written as they are, then the connection is closed.
  public static func raw(_ text: String) -> Fault { Fault(.raw(Array(text.utf8), drip: nil)) }

  private static func changed(_ change: (inout Changes) -> Void) -> Fault {
    var changes = Changes()
    change(&changes)
    return Fault(.answer(changes))
  }
}
