// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AnoleEmulator

@Suite("Bounds")
struct BoundsTests {
  private func request(_ sequence: Int, body: [UInt8] = []) -> RecordedRequest {
    RecordedRequest(
      sequence: sequence, route: .dataFile, method: "GET", target: "/v3/s", version: "HTTP/1.1",
      fields: [], body: body, decodedBody: body, isComplete: true, tracking: nil, status: 200,
      isFaulted: false)
  }

  @Test("the journal forgets the oldest requests, but counts them")
  func journalCount() {
    var journal = Journal()
    let total = Journal.maximumCount + 500
    for sequence in 1...total { journal.append(request(sequence)) }
    #expect(journal.count(.dataFile) == total)
    let kept = journal.requests(nil).map(\.sequence)
    #expect(kept == Array(501...total))
    journal.clear()
    #expect(journal.count(nil) == 0)
    #expect(journal.nextSequence == total + 1)
  }

  @Test("the journal keeps few requests with large bodies, but always the newest")
  func journalBytes() {
    var journal = Journal()
    let body = [UInt8](repeating: 0, count: Journal.maximumBytes / 8)
    for sequence in 1...10 { journal.append(request(sequence, body: body)) }
    #expect(journal.requests(nil).map(\.sequence) == [7, 8, 9, 10])
    journal.append(request(11, body: body + body + body + body + body))
    #expect(journal.requests(nil).map(\.sequence) == [11])
  }

  @Test("only so many faults wait for a route")
  func faults() {
    var book = FaultBook()
    for _ in 0..<FaultBook.maximumEntries {
      let isAdded = book.add(.neverAnswer, to: .token, times: 2)
      #expect(isAdded)
    }
    let isAdded = book.add(.neverAnswer, to: .token, times: 1)
    #expect(!isAdded)
    let isAddedElsewhere = book.add(.neverAnswer, to: .tracking, times: nil)
    #expect(isAddedElsewhere)
    #expect(book.pending(for: .token) == 2 * FaultBook.maximumEntries)
    #expect(book.pending(for: .tracking) == -1)
    #expect(book.pending(for: .dataFile) == 0)
  }

  @Test("text that is not percent-encoded correctly is told from text that is")
  func percentEncoding() {
    #expect(PercentEncoding.decode("a%20b+%C3%A9") == "a b+é")
    for text in ["%", "%2", "%zz", "%FF", "a%C3"] { #expect(PercentEncoding.decode(text) == nil) }
  }

  @Test("stream text cannot break out of its frame")
  func streamText() {
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    #expect(
      text(StreamText.event(name: "a\nb", data: "c\r\nd")) == "event: ab\ndata: c\ndata: d\n\n")
    #expect(text(StreamText.event(name: nil, data: "")) == "data: \n\n")
    #expect(text(StreamText.comment("a\nb")) == ": a\n: b\n\n")
  }
}
