// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking
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
@Suite("Field case 12: locales")
struct LocaleTests {
  /// Everything this package writes into requests.
  static func everything() -> String {
    let urls = PlatformURLs(
      siteCode: "site", environment: "İstanbul ก",
      identity: ClientIdentity(name: "N", version: "1.2"))
    let requests = PlatformRequests(
      urls: urls, userAgent: UserAgent(name: "I i İ ı", version: "1.5", system: "Linux"))
    let moment: Int64 = 1_700_000_000_250
    let query = VisitorDataQuery(visitorCode: "v", previousVisitCount: 12)
    let all = [
      requests.configuration(
        timestamp: moment, validators: CacheValidators(lastModified: "Tue, 14 Nov 2023")),
      requests.events(), requests.tracking(body: []), requests.visitorData(query),
      requests.mapData(key: "k"),
    ]
    let domain = NetworkDomain.read("HTTPS://SHOP.IN.example.com").domain?.name ?? "nil"
    let delay = RetryAfter.delay(
      "Tue, 14 Nov 2023 22:13:30 GMT", now: WallClock { moment })
    return all.map { "\($0.method.rawValue) \($0.url) \($0.headers.fields)" }
      .joined(separator: "\n") + domain + "\(String(describing: delay))"
  }

  @Test("the text of a request is this one")
  func expected() {
    let text = Self.everything()
    #expect(
      text.contains(
        "https://sdk-config.kameleoon.eu/v3/site"
          + "?environment=%C4%B0stanbul%20%E0%B8%81&ts=1700000000250"))
    #expect(text.contains("maxNumberPreviousVisits=12"))
    #expect(text.contains("shop.in.example.com"))
    #expect(text.contains("9.75 seconds"))
    #expect(text.contains("I-i----/1.5 (Linux)"))
  }

  #if os(Linux)
    @Test(
      "it is the same under other locales of the C library",
      .enabled(if: !installedLocales.isEmpty, "none of these locales is installed"),
      arguments: installedLocales)
    func cLocales(_ name: String) throws {
      let expected = Self.everything()
      let locale = try #require(newlocale(allCategories, name, nil))
      let former = uselocale(locale)
      defer {
        uselocale(former)
        freelocale(locale)
      }
      #expect(Self.everything() == expected)
    }
  #endif

  @Test("no source of this package asks for a locale")
  func sources() throws {
    let sources = FixtureFile.package.appendingPathComponent("Sources/AnoleNetworking")
    let words = [
      "Locale", "NumberFormatter", "DateFormatter", "String(format", ".formatted(", "Calendar",
      "TimeZone", "strftime", "strtod", "setlocale", ".uppercased()",
    ]
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      count += 1
      let text = try String(contentsOf: file, encoding: .utf8)
      for word in words { #expect(!text.contains(word), "\(file.lastPathComponent): \(word)") }
    }
    #expect(count > 20)
  }
}
