// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import AnoleStorageTesting
import Foundation
import Testing

#if os(Linux)
  /// `LC_ALL_MASK`, a macro that Swift does not import.
  private let allCategories: Int32 = 0x1FBF

  /// Those locales of the field case, and two more with other letters and points, that exist here.
  private let installedLocales = ["th_TH", "ar_SA", "fa_IR", "ja_JP", "tr_TR", "de_DE"]
    .map { "\($0).UTF-8" }
    .filter { name in
      guard let locale = newlocale(allCategories, name, nil) else { return false }
      freelocale(locale)
      return true
    }
#endif

/// Field case 12: requests are the same bytes whatever the language, calendar and clock of a device.
@Suite("Field case 12: locales and time zones")
struct LocaleTests {
  /// What a process with an environment sends.
  private func request(_ environment: [String: String]) async throws -> [String] {
    try await onThread {
      let process = try ChildProcess.writer(["request"], environment: environment)
      let lines = process.lines()
      process.waitUntilExit()
      return lines
    }
  }

  @Test("a request has these bytes")
  func expected() async throws {
    let lines = try await request(["LC_ALL": "C", "TZ": "UTC"])
    let user = "&visitorCode=visitor%201%2C5"
    func line(_ number: String, _ rest: String) -> String {
      "nonce=00000000ABCDEF\(number)&eventType=\(rest)\(user)"
    }
    #expect(
      lines == [
        "POST https://data.kameleoon.io/visit/events"
          + "?sdkName=SWIFT&sdkVersion=1.2.3&siteCode=s&bodyUa=true",
        "User-Agent: Shop/1.5 (iOS)",
        "Content-Type: */*",
        line("01", "staticData&deviceType=DESKTOP") + "&userAgent=Shop%2F1.5%20(iOS)",
        line("02", "staticData&browserIndex=3&browserVersion=1234.5"),
        line("03", "staticData&os=IOS&osIndex=2"),
        line(
          "04",
          "geolocation&country=I%20i%20%C4%B0%20%C4%B1"
            + "&city=%E0%B8%81%E0%B8%A3%E0%B8%B8%E0%B8%87%E0%B9%80%E0%B8%97%E0%B8%9E"
            + "&latitude=-0.000001&longitude=1234.567"),
        line("05", "staticData&visitNumber=1234567&timeSincePreviousVisit=1700000000250"),
        line(
          "06",
          "customData&index=1000"
            + "&valuesCountMap=%7B%22%D9%A3%22%3A1%2C%221%2C5%22%3A1%2C%22%C3%A9%22%3A1%7D"
            + "&overwrite=true"),
        line(
          "07",
          "page&href=https%3A%2F%2Fshop.example%2F%3Fa%3D1&title=I"
            + "&referrersIndices=%5B1000%2C2%5D"),
        line("08", "experiment&id=1234567&variationId=-7"),
        line("09", "targetingSegment&id=1000000"),
        line(
          "0A",
          "conversion&goalId=77&revenue=1234567.891&negative=false"
            + "&metadata=%7B%221000%22%3A%5B%22I%22%5D%7D"),
        line("0B", "conversion&goalId=77&revenue=1000000000000000000000&negative=false"),
        line("0C", "conversion&goalId=77&revenue=0&negative=false"),
      ])
  }

  #if os(Linux)
    @Test(
      "it has the same bytes in other locales and at the other end of the world",
      .enabled(if: !installedLocales.isEmpty, "none of these locales is installed"),
      arguments: installedLocales)
    func locales(_ name: String) async throws {
      let expected = try await request(["LC_ALL": "C", "TZ": "UTC"])
      let environment = ["LC_ALL": name, "LANG": name, "TZ": "Pacific/Kiritimati"]
      #expect(try await request(environment) == expected)
    }
  #endif

  @Test("no source of this package asks for a locale")
  func sources() throws {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/AnoleTracking")
    let words = [
      "Locale", "NumberFormatter", "DateFormatter", "String(format", ".formatted(", "Calendar",
      "TimeZone", "strftime", "strtod", "setlocale", ".uppercased()", ".lowercased()",
    ]
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      count += 1
      let text = try String(contentsOf: file, encoding: .utf8)
      for word in words { #expect(!text.contains(word), "\(file.lastPathComponent): \(word)") }
    }
    #expect(count > 20)
  }
}
