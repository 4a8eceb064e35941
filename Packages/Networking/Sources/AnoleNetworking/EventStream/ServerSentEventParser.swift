// SPDX-License-Identifier: Apache-2.0

/// Reads an event stream, after the text of the HTML standard, section 9.2 ("Server-sent events").
///
/// A pure value. The bytes may be cut anywhere. What the end of the stream leaves unfinished is
/// dropped; make a new parser for each connection and hand it ``lastEventID``.
public struct ServerSentEventParser: Sendable {
  /// How much of a stream is held in memory.
  public struct Limits: Sendable, Hashable {
    /// The longest line in bytes, without its end.
    public var lineSize: Int
    /// The largest event in bytes: name, id and data.
    public var eventSize: Int

    /// 1 MiB a line, 4 MiB an event: events of the platform have 50 bytes; data files sent as
    /// events would have some 100 KB.
    public static let standard = Limits()

    /// Makes limits.
    public init(lineSize: Int = 1 << 20, eventSize: Int = 4 << 20) {
      self.lineSize = lineSize
      self.eventSize = eventSize
    }
  }

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The id to send when the stream is opened again: that of the last finished block.
  public private(set) var lastEventID: String
  /// The pause before opening again that the stream asked for last; nil if it asked for none.
  public private(set) var retry: Duration?

  private let limits: Limits
  private var isFirstLine = true
  private var endedWithCarriageReturn = false
  private var line: [UInt8] = []
  private var type: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  private var idBuffer: String

  /// Makes a parser for a new connection.
  ///
  /// - Parameters:
  ///   - lastEventID: The id that the connection before left.
  ///   - limits: How much is held in memory.
  public init(lastEventID: String = "", limits: Limits = .standard) {
    self.lastEventID = lastEventID
    self.limits = limits
    idBuffer = lastEventID
  }

  /// Reads the next bytes and returns the events that they complete, in order.
  ///
  /// - Throws: ``ServerSentEventError`` when a limit is passed: the connection is of no further use,
  ///   nor is the parser.
  public mutating func parse(
    _ bytes: [UInt8]
  ) throws(ServerSentEventError) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    var start = 0
    for index in bytes.indices {
      let byte = bytes[index]
      let followsReturn = endedWithCarriageReturn
      endedWithCarriageReturn = false
      guard byte == Self.lineFeed || byte == Self.carriageReturn else { continue }
      if byte == Self.lineFeed, followsReturn {
        start = index + 1
        continue
      }
      endedWithCarriageReturn = byte == Self.carriageReturn
      try take(bytes[start..<index])
      if let event = try endLine() { events.append(event) }
      start = index + 1
    }
    try take(bytes[start...])
    return events
  }

  private mutating func take(_ part: ArraySlice<UInt8>) throws(ServerSentEventError) {
    guard line.count + part.count <= limits.lineSize else {
      throw ServerSentEventError(code: .lineTooLong, limit: limits.lineSize)
    }
    line.append(contentsOf: part)
  }

  private mutating func endLine() throws(ServerSentEventError) -> ServerSentEvent? {
    defer {
      isFirstLine = false
      line.removeAll(keepingCapacity: line.capacity <= 4_096)
    }
    var content = line[...]
    if isFirstLine, content.starts(with: Self.byteOrderMark) { content = content.dropFirst(3) }
    guard !content.isEmpty else { return dispatch() }
    guard let colon = content.firstIndex(of: UInt8(ascii: ":")) else {
      try readField(content, value: [])
      return nil
    }
    guard colon != content.startIndex else { return nil }
    var value = content[(colon + 1)...]
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    try readField(content[..<colon], value: value)
    return nil
  }

  private mutating func readField(
    _ name: ArraySlice<UInt8>, value: ArraySlice<UInt8>
  ) throws(ServerSentEventError) {
    if name.elementsEqual("data".utf8) {
      if hasData { data.append(Self.lineFeed) }
      data.append(contentsOf: value)
      hasData = true
    } else if name.elementsEqual("event".utf8) {
      type = Array(value)
    } else if name.elementsEqual("id".utf8) {
      if !value.contains(0) { idBuffer = String(decoding: value, as: UTF8.self) }
    } else if name.elementsEqual("retry".utf8) {
      if let pause = Self.pause(value) { retry = pause }
    }
    guard data.count + type.count + idBuffer.utf8.count <= limits.eventSize else {
      throw ServerSentEventError(code: .eventTooLarge, limit: limits.eventSize)
    }
  }

  /// The pause that digits give in milliseconds; nil for other text and for numbers without sense.
  private static func pause(_ value: ArraySlice<UInt8>) -> Duration? {
    guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(String(decoding: value, as: UTF8.self)).map { .milliseconds($0) }
  }

  private mutating func dispatch() -> ServerSentEvent? {
    defer {
      type = []
      data = []
      hasData = false
    }
    lastEventID = idBuffer
    guard hasData else { return nil }
    return ServerSentEvent(
      type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self),
      data: String(decoding: data, as: UTF8.self), lastEventID: lastEventID)
  }
}
