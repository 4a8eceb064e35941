// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AnoleNetworking

@Suite("Transport: heads of answers")
struct AnswerHeadTests {
  private func read(_ lines: [String], into head: inout AnswerHead) throws -> [AnswerHead.Event] {
    try lines.map { line in
      try Array((line + "\r\n").utf8).withUnsafeBytes { bytes in try head.receive(bytes) }
    }
  }

  @Test("fields keep order, case and repetition, and lose the white space around values")
  func fields() throws {
    var head = AnswerHead()
    let events = try read(
      ["HTTP/2 200 ", "b: 1", "A:\t 2 \t", "b:3", "Empty:", "no colon", ": no name", ""],
      into: &head)
    #expect(events.last == .complete)
    #expect(head.status == 200)
    #expect(
      head.headers.fields.map { "\($0.name)=\($0.value)" } == ["b=1", "A=2", "b=3", "Empty="])
  }

  @Test("a folded line goes on with the value before")
  func folded() throws {
    var head = AnswerHead()
    _ = try read(["HTTP/1.1 200 OK", "A: one", "  two", "\tthree", "B: x", ""], into: &head)
    #expect(head.headers["A"] == "one two three")
    #expect(head.headers["B"] == "x")
  }

  @Test("bytes that are no UTF-8 are replaced, not refused")
  func bytes() throws {
    var head = AnswerHead()
    _ = try read(["HTTP/1.1 200 OK"], into: &head)
    _ = try [UInt8]([0x41, 0x3a, 0xff, 0x0d, 0x0a]).withUnsafeBytes { try head.receive($0) }
    _ = try read([""], into: &head)
    #expect(head.headers["A"] == "\u{fffd}")
  }

  @Test("informational heads are dropped, and count for the limit of the size")
  func informational() throws {
    var head = AnswerHead()
    let events = try read(
      ["HTTP/1.1 103 x", "A: 1", "", "HTTP/1.1 204 y", "B: 2", ""], into: &head)
    #expect(events == [.more, .more, .more, .more, .more, .complete])
    #expect(head.headers.fields.map(\.name) == ["B"])
    let hint = ["HTTP/1.1 103 x", "A: " + String(repeating: "a", count: 60_000), ""]
    var endless = AnswerHead()
    #expect(throws: HTTPError.self) {
      _ = try read(hint + hint + hint + hint + hint, into: &endless)
    }
  }

  @Test(
    "a status line without a status is malformed", arguments: ["HTTP/1.1", "HTTP/1.1 2x0", "x"])
  func noStatus(_ line: String) {
    var head = AnswerHead()
    let error = #expect(throws: HTTPError.self) { _ = try read([line], into: &head) }
    #expect(error?.code == .malformedAnswer)
  }
}
