// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import Testing

struct EventStreamCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let stream: [UInt8]
  let events: [ServerSentEvent]

  init(_ name: String, _ stream: String, _ events: [ServerSentEvent]) {
    self.init(name, bytes: Array(stream.utf8), events)
  }

  init(_ name: String, bytes: [UInt8], _ events: [ServerSentEvent]) {
    testDescription = name
    stream = bytes
    self.events = events
  }
}

/// From the text of the HTML standard.
let eventStreamCases: [EventStreamCase] = [
  EventStreamCase("an empty stream", "", []),
  EventStreamCase(
    "a byte order mark before a blank line", "\u{FEFF}\n\ndata: a\n\n",
    [ServerSentEvent(data: "a")]),
  EventStreamCase(
    "half a byte order mark is an unknown field", bytes: [0xEF, 0xBB] + Array("data: a\n\n".utf8),
    []),
  EventStreamCase(
    "all fields", "\u{FEFF}: hello\r\nid: 5\revent: e\ndata: 1\r\n\r\n",
    [ServerSentEvent(type: "e", data: "1", lastEventID: "5")]),
  EventStreamCase(
    "an id does not count before its block ends", "id: 1\ndata: a\n\nid: 2",
    [ServerSentEvent(data: "a", lastEventID: "1")]),
  EventStreamCase(
    "a cut sequence before a line end becomes one U+FFFD",
    bytes: Array("data: ".utf8) + [0xF0, 0x9F, 0x98] + Array("\n\n".utf8),
    [ServerSentEvent(data: "\u{FFFD}")]),
  EventStreamCase(
    "three kinds of line ends end three blocks", "data: a\n\ndata: b\r\rdata: c\r\n\r\n",
    ["a", "b", "c"].map { ServerSentEvent(data: $0) }),
  EventStreamCase(
    "CR CR LF is two line ends", "data: a\r\r\ndata: b\n\n",
    [ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]),
]

@Suite("Server-sent events")
struct ServerSentEventParserTests {
  private func events(
    _ pieces: [[UInt8]], limits: ServerSentEventParser.Limits = .standard
  ) throws -> [ServerSentEvent] {
    var parser = ServerSentEventParser(limits: limits)
    return try pieces.flatMap { try parser.parse($0) }
  }

  @Test("reads streams, however they are cut", arguments: eventStreamCases)
  func reads(_ row: EventStreamCase) throws {
    #expect(try events([row.stream]) == row.events)
    for size in 1...16 {
      #expect(try events(EventStreamVector.cut(row.stream, size: size)) == row.events)
    }
  }

  @Test("a pause of more digits than fit is ignored")
  func hugePause() throws {
    var parser = ServerSentEventParser()
    _ = try parser.parse(Array("retry: 700\nretry: 99999999999999999999\n\n".utf8))
    #expect(parser.retry == .milliseconds(700))
  }

  @Test("a line up to its limit is read, one byte more is an error")
  func lineLimit() throws {
    let limits = ServerSentEventParser.Limits(lineSize: 10, eventSize: 100)
    #expect(try events([Array("data:12345\n\n".utf8)], limits: limits).count == 1)
    let error = #expect(throws: ServerSentEventError.self) {
      try events(Array("data:123456".utf8).map { [$0] }, limits: limits)
    }
    #expect(error?.code == .lineTooLong)
    #expect(error?.limit == 10)
  }

  @Test("an event up to its limit is read, one byte more is an error")
  func eventLimit() throws {
    let limits = ServerSentEventParser.Limits(lineSize: 100, eventSize: 9)
    #expect(try events([Array("data:1234\ndata:5678\n\n".utf8)], limits: limits).count == 1)
    let error = #expect(throws: ServerSentEventError.self) {
      try events([Array("data:1234\ndata:56789\n\n".utf8)], limits: limits)
    }
    #expect(error?.code == .eventTooLarge)
    // Comments and unknown fields are not kept and may go on for ever.
    let comments = String(repeating: ": 0123456789\nx: 0123456789\n", count: 1_000)
    #expect(try events([Array((comments + "data:1\n\n").utf8)], limits: limits).count == 1)
  }

  @Test("twenty thousand damaged streams give the same events in one piece and in many")
  func fuzz() throws {
    var mutation = TestMutation(seed: 0x55E, marks: "\r\n: 0daientvrty\u{0}")
    let limits = ServerSentEventParser.Limits(lineSize: 60, eventSize: 90)
    let seeds = [
      "\u{FEFF}: c\nid: 1\nevent: configuration-update-event\ndata: {\"ts\": 1764000123456}\n\n",
      "data: a\r\ndata: é\r\nretry: 1500\r\n\r\ndata: b\rid: 2\r\rdata\n\n",
      "event: x\ndata: 吉🚀\nid\n\nid: \u{0}\ndata: z\n\n",
    ].map { Array($0.utf8) }
    for round in 0..<20_000 {
      let stream = mutation.mutate(seeds[round % seeds.count])
      let whole = Result { try events([stream], limits: limits) }
      let cut = Result { try events(mutation.cut(stream), limits: limits) }
      switch (whole, cut) {
      case (.success(let one), .success(let other)): #expect(one == other)
      case (.failure, .failure): break
      default: Issue.record("a cut changes the outcome of \(stream)")
      }
    }
  }
}
