// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

/// The specification of evaluation, section 5.4; the network specification, section 3.8.
@Suite("Visits")
struct VisitTests {
  private static let minute: Int64 = 60_000

  @Test("the first activity begins the first visit, and it is reported once")
  func first() {
    var visitor = Visitor()
    let begins = visitor.record.noteActivity(at: time(5000))
    #expect(begins)
    #expect(visitor.record.visitStart == time(5000))
    #expect(visitor.profile.previousVisits == [])
    #expect(visitor.pending == [.visits(previousCount: 0, timeSincePrevious: .zero)])
    visitor.record.markPendingEventsSent(isConsentRequired: false)
    let answer1 = visitor.record.noteActivity(at: time(6000))
    #expect(!answer1)
    #expect(visitor.pending == [])
  }

  @Test("30 minutes of silence still belong to the visit, a millisecond more ends it")
  func gap() {
    var visitor = Visitor()
    visitor.record.noteActivity(at: time(0))
    visitor.record.noteActivity(at: time(30 * Self.minute))
    #expect(visitor.profile.previousVisits == [])
    let begins = visitor.record.noteActivity(at: time(60 * Self.minute + 1))
    #expect(begins)
    #expect(
      visitor.profile.previousVisits == [
        Visit(start: time(0), lastActivity: time(30 * Self.minute))
      ])
    #expect(visitor.record.visitStart == time(60 * Self.minute + 1))
    #expect(
      visitor.pending == [
        .visits(previousCount: 1, timeSincePrevious: .milliseconds(30 * Self.minute + 1))
      ])
  }

  @Test("25 visits are kept, all are counted")
  func limit() {
    var visitor = Visitor()
    for number in 0..<40 { visitor.record.noteActivity(at: time(Int64(number) * 31 * Self.minute)) }
    #expect(visitor.profile.previousVisits?.count == 25)
    #expect(visitor.profile.previousVisitCount == 39)
    #expect(visitor.profile.previousVisits?.first?.start == time(38 * 31 * Self.minute))
  }

  @Test("a clock that was set back begins no visit")
  func clockSetBack() {
    var visitor = Visitor()
    visitor.record.noteActivity(at: time(100 * Self.minute))
    let answer2 = visitor.record.noteActivity(at: time(0))
    #expect(!answer2)
    #expect(visitor.record.visitStart == time(100 * Self.minute))
    let answer3 = visitor.record.noteActivity(at: time(.min))
    #expect(!answer3)
    let answer4 = visitor.record.noteActivity(at: time(.max))
    #expect(answer4)
  }

  @Test("a history from the server counts while only the first visit is known here")
  func remoteHistory() {
    var visitor = Visitor()
    visitor.record.noteActivity(at: time(10 * Self.minute))
    let old = Visit(start: time(0), lastActivity: time(Self.minute))
    visitor.load(.visits([old], count: 7))
    #expect(visitor.profile.previousVisits == [old])
    #expect(
      visitor.pending == [
        .visits(previousCount: 7, timeSincePrevious: .milliseconds(9 * Self.minute))
      ])
    visitor.record.noteActivity(at: time(50 * Self.minute))
    visitor.load(.visits([], count: 3))
    #expect(visitor.profile.previousVisits?.count == 2)
    #expect(visitor.profile.previousVisitCount == 8)
  }

  @Test("visits later than the current start do not count as previous in time")
  func laterVisit() {
    var visitor = Visitor()
    let later = Visit(start: time(2000), lastActivity: time(3000))
    let earlier = Visit(start: time(100), lastActivity: time(400))
    visitor.load(.visits([later, earlier]))
    #expect(
      visitor.pending == [.visits(previousCount: 2, timeSincePrevious: .milliseconds(600))])
  }
}
