// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking
import Foundation
import Testing

struct RetryAfterCase: Sendable, CustomTestStringConvertible {
  let text: String
  let seconds: Double?
  init(_ text: String, _ seconds: Double?) {
    self.text = text
    self.seconds = seconds
  }
  var testDescription: String { text.debugDescription }
}

/// The clock stands at 1994-11-06T08:49:07.500Z.
let retryAfterCases: [RetryAfterCase] = [
  RetryAfterCase("0", 0), RetryAfterCase("17", 17), RetryAfterCase("60", 60),
  RetryAfterCase("61", 60), RetryAfterCase("99999999999999999999999", 60),
  RetryAfterCase("-1", nil), RetryAfterCase("1.5", nil), RetryAfterCase("", nil),
  RetryAfterCase("soon", nil), RetryAfterCase("٣", nil), RetryAfterCase("+5", nil),
  RetryAfterCase("Sun, 06 Nov 1994 08:49:37 GMT", 29.5),
  RetryAfterCase("sun, 06 nov 1994 08:49:37 gmt", 29.5),
  RetryAfterCase("Sunday, 06-Nov-94 08:49:37 GMT", 29.5),
  RetryAfterCase("Sun Nov  6 08:49:37 1994", 29.5),
  RetryAfterCase("Sun, 06 Nov 1994 08:49:00 GMT", 0),
  RetryAfterCase("Mon, 07 Nov 1994 08:49:37 GMT", 60),
  RetryAfterCase("Sun, 31 Feb 1994 08:49:37 GMT", nil),
  RetryAfterCase("Sun, 06 Nov 1994 24:00:00 GMT", nil),
  RetryAfterCase("Sun, 06 Nov 1994 08:49:37 CET", nil),
  RetryAfterCase("Sun, 06 พ.ย. 1994 08:49:37 GMT", nil),
  RetryAfterCase("Sun, 06 Nov 99999 08:49:37 GMT", nil),
]

@Suite("Retry-After and dates")
struct RetryAfterTests {
  private let now = WallClock { 784_111_747_500 }

  @Test("both forms, at most a minute", arguments: retryAfterCases)
  func delay(_ row: RetryAfterCase) {
    let expected = row.seconds.map { Duration.milliseconds(Int64($0 * 1_000)) }
    #expect(RetryAfter.delay(row.text, now: now) == expected)
  }

  @Test("only 429 and 503 are listened to")
  func statuses() {
    for status in [200, 204, 301, 403, 429, 500, 502, 503] {
      let response = HTTPResponse(status: status, headers: ["retry-after": "9"])
      let isHonoured = status == 429 || status == 503
      #expect(RetryAfter.delay(of: response, now: now) == (isHonoured ? .seconds(9) : nil))
    }
    #expect(RetryAfter.delay(of: HTTPResponse(status: 429), now: now) == nil)
  }

  @Test("a caller may honour more than a minute")
  func longerLimit() {
    let headers: HTTPHeaders = ["Retry-After": "7200"]
    for (limit, expected) in [(Duration.seconds(3_600), 3_600), (.seconds(10_000), 7_200)] {
      let delay = RetryAfter.delay(status: 503, headers: headers, now: now, atMost: limit)
      #expect(delay == .seconds(expected))
    }
    #expect(
      RetryAfter.delay("Mon, 07 Nov 1994 08:49:37 GMT", now: now, atMost: .seconds(3_600))
        == .seconds(3_600))
  }

  @Test("dates of all years from 1600 to 2400 agree with Foundation's")
  func dates() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "GMT"))
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    for year in stride(from: 1_600, through: 2_400, by: 7) {
      for (index, month) in months.enumerated() {
        let parts = DateComponents(
          year: year, month: index + 1, day: 28, hour: 23, minute: 59, second: 58)
        let date = try #require(calendar.date(from: parts))
        let text = "Xyz, 28 \(month) \(year) 23:59:58 GMT"
        #expect(HTTPDate.seconds(text) == Int64(date.timeIntervalSince1970), "\(text)")
      }
    }
    #expect(HTTPDate.seconds("Tue, 29 Feb 2000 00:00:00 GMT") == 951_782_400)
    #expect(HTTPDate.seconds("Thu, 29 Feb 1900 00:00:00 GMT") == nil)
  }

  @Test("a date that is written is the one that is read, with the day of the week")
  func writtenDates() throws {
    #expect(HTTPDate.text(seconds: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.text(seconds: -1) == "Wed, 31 Dec 1969 23:59:59 GMT")
    #expect(HTTPDate.text(seconds: 951_782_400) == "Tue, 29 Feb 2000 00:00:00 GMT")
    #expect(HTTPDate.text(seconds: .min) == "Sat, 01 Jan 0000 00:00:00 GMT")
    #expect(HTTPDate.text(seconds: .max) == "Fri, 31 Dec 9999 23:59:59 GMT")
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "GMT"))
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    for seconds in stride(
      from: Int64(-11_000_000_000), through: 60_000_000_000, by: 86_400 * 13 + 3_607)
    {
      let text = HTTPDate.text(seconds: seconds)
      #expect(HTTPDate.seconds(text) == seconds, "\(text)")
      let date = Date(timeIntervalSince1970: Double(seconds))
      #expect(text.hasPrefix(days[calendar.component(.weekday, from: date) - 1]), "\(text)")
    }
  }

  @Test("statuses that count as success")
  func successes() {
    let accepted = (100...599).filter { StatusRule.platform.accepts($0) }
    #expect(accepted == Array(200...299) + [304, 403])
    #expect((100...599).filter { StatusRule.successful.accepts($0) } == Array(200...299))
  }
}
