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
  ///
  /// Answers that libmicrohttpd cannot give are written by hand: those with interim answers, trailers, a
  /// slow head, a head of more than 64 KiB, or less announced than sent. The connection ends after them.
  /// A stream cannot be written by hand; it comes without these changes, and is not compressed.
  public struct Changes: Sendable, Hashable {
    /// The status, 200–999.
    public var status: Int?
    /// Statuses of interim answers that come before the answer, 100–199.
    public var interim: [Int] = []
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
    /// Compresses the body, and says so.
    public var encoding: ContentEncoding?
    /// Fields behind the body, which is sent in chunks then.
    public var trailers: [HeaderField] = []
    /// Sends the body a little at a time.
    public var drip: Drip?
    /// Sends the head a little at a time too.
    public var dripsHead = false
    /// Closes the connection after the complete answer, without announcing it.
    public var closesAfterwards = false

    /// No change.
    public init() {}
  }

  /// How a body is compressed.
  public enum ContentEncoding: String, Sendable, Hashable, CaseIterable {
    /// `gzip`.
    case gzip = "gzip"
    /// `deflate` with the frame of zlib, as the standard wants it.
    case deflate = "deflate"
    /// `deflate` without a frame, as some servers send it.
    case rawDeflate = "rawDeflate"
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
      "a fault's status must be from 200 to 999: interim answers have a list of their own")
    precondition(
      changes.interim.allSatisfy { (100...199).contains($0) },
      "the status of an interim answer must be from 100 to 199")
    precondition(
      HeaderField.isValid(name: "Content-Type", value: changes.contentType ?? ""),
      "a fault's content type must not hold line breaks")
  }
}
