// SPDX-License-Identifier: Apache-2.0

/// Reads the dates of HTTP headers (RFC 9110, section 5.6.7), in all three forms, and writes the
/// preferred one, without any locale.
public enum HTTPDate: Sendable {
  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  /// As they are looked for.
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  /// The longest text that is looked at; the forms have at most 33 characters.
  private static let longestText = 64

  /// The seconds since 1970 of a text; nil if it is no date.
  ///
  /// Forms: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
  /// `Sun Nov  6 08:49:37 1994`. The name of the day is not checked. Years of two digits lie in
  /// 1970…2069.
  public static func seconds(_ text: String) -> Int64? {
    guard text.utf8.count <= longestText else { return nil }
    let parts = ASCIIText.lowercased(text).split { $0 == " " || $0 == "," || $0 == "-" }
      .map(String.init)
    switch parts.count {
    case 6 where parts[5] == "gmt":
      return seconds(year: parts[3], month: parts[2], day: parts[1], time: parts[4])
    case 5:
      return seconds(year: parts[4], month: parts[1], day: parts[2], time: parts[3])
    default: return nil
    }
  }

  /// The text of a time: `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// - Parameter seconds: since 1970; the form has room for the years 0 to 9999, and times outside
  ///   them become the first or the last second of these.
  public static func text(seconds: Int64) -> String {
    let time = Int(min(max(seconds, firstSecond), lastSecond)) - Int(firstSecond)
    let (day, second) = (time / 86_400, time % 86_400)
    let (year, month, dayOfMonth) = date(day)
    func padded(_ number: Int, _ count: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: count - digits.count) + digits
    }
    // The first day of the year 0 was a Saturday.
    let name = days[(day + 5) % 7]
    return "\(name), \(padded(dayOfMonth)) \(monthNames[month - 1]) \(padded(year, 4)) "
      + "\(padded(second / 3_600)):\(padded(second / 60 % 60)):\(padded(second % 60)) GMT"
  }

  private static let firstSecond = Int64(daysSince1970(year: 0, month: 1, day: 1)) * 86_400
  private static let lastSecond = Int64(daysSince1970(year: 10_000, month: 1, day: 1)) * 86_400 - 1

  /// The date of a day counted from the first of the year 0.
  private static func date(_ day: Int) -> (year: Int, month: Int, day: Int) {
    let day = day + daysSince1970(year: 0, month: 1, day: 1)
    // 365.2425 days a year on average: the guess is right or one too large or too small.
    var year = 1970 + Int((Double(day) / 365.2425).rounded(.down))
    while daysSince1970(year: year, month: 1, day: 1) > day { year -= 1 }
    while daysSince1970(year: year + 1, month: 1, day: 1) <= day { year += 1 }
    var month = 12
    while daysSince1970(year: year, month: month, day: 1) > day { month -= 1 }
    return (year, month, day - daysSince1970(year: year, month: month, day: 1) + 1)
  }

  private static func seconds(
    year: String, month: String, day: String, time: String
  ) -> Int64? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard let month = months.firstIndex(of: month), let day = number(day, digits: 1...2),
      let year = fullYear(year), (1...length(ofMonth: month, year: year)).contains(day),
      clock.count == 3, let hour = number(clock[0], digits: 2...2), hour < 24,
      let minute = number(clock[1], digits: 2...2), minute < 60,
      let second = number(clock[2], digits: 2...2), second <= 60
    else { return nil }
    let days = daysSince1970(year: year, month: month + 1, day: day)
    return Int64(days * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  private static func fullYear(_ text: String) -> Int? {
    guard let year = number(text, digits: 2...4) else { return nil }
    if text.utf8.count == 4 { return year }
    guard text.utf8.count == 2 else { return nil }
    return year < 70 ? 2_000 + year : 1_900 + year
  }

  private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy(ASCIIText.isDigit) else {
      return nil
    }
    return Int(text)
  }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month]
  }

  /// Days of the Gregorian calendar, by counting years from March.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
