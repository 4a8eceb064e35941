// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

private let composed = "caf\u{E9}"
private let decomposed = "cafe\u{301}"

struct NumberTextCase: Sendable, CustomTestStringConvertible {
  let text: String
  let expected: Double?
  init(_ text: String, _ expected: Double?) {
    self.text = text
    self.expected = expected
  }
  var testDescription: String { text.debugDescription }
}

/// By hand from the specification of evaluation, section 4.4.
private let numberTextCases: [NumberTextCase] = [
  NumberTextCase("10", 10),
  NumberTextCase("-3.5", -3.5),
  NumberTextCase("+3.5", 3.5),
  NumberTextCase(".5", 0.5),
  NumberTextCase("-.5", -0.5),
  NumberTextCase("5.", 5),
  NumberTextCase("1e3", 1000),
  NumberTextCase("1E-3", 0.001),
  NumberTextCase("1.5e+2", 150),
  NumberTextCase("5.e1", 50),
  NumberTextCase(".5e1", 5),
  NumberTextCase("007", 7),
  NumberTextCase("0", 0),
  NumberTextCase("00.50", 0.5),
  NumberTextCase("12345678901234567168", 12_345_678_901_234_567_168),
  NumberTextCase(" 10 ", 10),
  NumberTextCase("\t10\r\n", 10),
  NumberTextCase("", nil),
  NumberTextCase(" ", nil),
  NumberTextCase(".", nil),
  NumberTextCase("-", nil),
  NumberTextCase("+", nil),
  NumberTextCase("-.", nil),
  NumberTextCase("e3", nil),
  NumberTextCase(".e3", nil),
  NumberTextCase("1e", nil),
  NumberTextCase("1e+", nil),
  NumberTextCase("1e1.5", nil),
  NumberTextCase("--1", nil),
  NumberTextCase("+-1", nil),
  NumberTextCase("- 1", nil),
  NumberTextCase("1 000", nil),
  NumberTextCase("1,000", nil),
  NumberTextCase("1_000", nil),
  NumberTextCase("3,5", nil),
  NumberTextCase("1.2.3", nil),
  NumberTextCase("0x10", nil),
  NumberTextCase("0x1p3", nil),
  NumberTextCase("0b1", nil),
  NumberTextCase("nan", nil),
  NumberTextCase("NaN", nil),
  NumberTextCase("inf", nil),
  NumberTextCase("-inf", nil),
  NumberTextCase("Infinity", nil),
  NumberTextCase("true", nil),
  NumberTextCase("10px", nil),
  NumberTextCase("\u{661}\u{662}", nil),
  NumberTextCase("1\u{0}", nil),
]

@Suite("Lenient numbers")
struct LenientNumberTests {
  @Test("decimal numbers are read, everything else is none", arguments: numberTextCases)
  func reading(_ row: NumberTextCase) {
    #expect(LenientNumber.parse(row.text) == row.expected)
  }
}

@Suite("Texts for matching")
struct MatchTextTests {
  @Test("equality is equality of bytes, for texts of every length up to 40")
  func equality() {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN")
    for length in 0...alphabet.count {
      let text = String(alphabet.prefix(length))
      #expect(MatchText(text) == MatchText(String(Array(text))))
      #expect(MatchText(text).hashValue == MatchText(String(Array(text))).hashValue)
      #expect(MatchText(text).string == text)
      for place in 0..<length {
        var other = Array(text)
        other[place] = "#"
        #expect(MatchText(text) != MatchText(String(other)), "\(length) \(place)")
      }
      #expect(MatchText(text) != MatchText(text + "x"))
      #expect(MatchText(text) != MatchText(text + "\u{0}"))
    }
  }

  @Test("composed and decomposed texts differ, short and long")
  func normalisation() {
    #expect(composed == decomposed)
    #expect(MatchText(composed) != MatchText(decomposed))
    let prefix = String(repeating: "x", count: 20)
    #expect(MatchText(prefix + composed) != MatchText(prefix + decomposed))
    #expect(!MatchText(prefix + composed).contains(MatchText(decomposed)))
    #expect(MatchText(prefix + decomposed).contains(MatchText("cafe")))
    // The same number of bytes: a ring below and a dot above in two orders.
    #expect(MatchText("q\u{307}\u{323}") != MatchText("q\u{323}\u{307}"))
    #expect(MatchText(prefix + "q\u{307}\u{323}") != MatchText(prefix + "q\u{323}\u{307}"))
  }

  @Test("nothing is folded or trimmed")
  func exactness() {
    #expect(MatchText("A") != MatchText("a"))
    #expect(MatchText("a ") != MatchText("a"))
    #expect(!MatchText("Premium").contains(MatchText("premium")))
  }

  @Test("a text contains its parts, itself and the empty text")
  func containing() {
    let text = "abcabcabd\u{E9}xyz and more than sixteen bytes"
    let bytes = Array(text.unicodeScalars)
    for start in 0..<bytes.count {
      for end in start...bytes.count {
        var part = String.UnicodeScalarView()
        part.append(contentsOf: bytes[start..<end])
        #expect(MatchText(text).contains(MatchText(String(part))))
      }
    }
    for other in ["abd ", "abcabd", "bytesx", "\u{E8}", "abcabcabdx", text + "x", "\u{0}"] {
      #expect(!MatchText(text).contains(MatchText(other)) || other == "abcabd", "\(other)")
    }
    #expect(MatchText(text).contains(MatchText("abcabd")))
    #expect(MatchText("").contains(MatchText("")))
    #expect(!MatchText("").contains(MatchText("a")))
    #expect(MatchText("aaab").contains(MatchText("aab")))
    #expect(!MatchText("aaa").contains(MatchText("aab")))
  }

  @Test("a string of another storage gives the same text")
  func substrings() {
    let whole = "prefix-of-a-long-string-that-is-cut"
    let part = MatchText(String(whole.dropFirst(7)))
    #expect(part == MatchText("of-a-long-string-that-is-cut"))
    #expect("abc".withContiguousBytes { Array($0) } == [97, 98, 99])
    #expect("".withContiguousBytes { $0.count } == 0)
  }
}

@Suite("Visitor types")
struct VisitorTypeTests {
  @Test("a place is folded to lower case, whatever the language of the machine")
  func folding() {
    let france = Self.folded(
      Geolocation(country: "FRANCE", region: "ÎLE-DE-FRANCE", city: "İZMİR"))
    #expect(france?.country == MatchText("france"))
    #expect(france?.region == MatchText("île-de-france"))
    #expect(france?.city == MatchText("i\u{307}zmi\u{307}r"))
    #expect(Self.folded(Geolocation(country: "II"))?.country == MatchText("ii"))
    #expect(Self.folded(Geolocation(country: "ΑΘΗΝΑ"))?.country == MatchText("αθηνα"))
    #expect(Self.folded(Geolocation(country: "x"))?.region == MatchText(""))
    #expect(Self.folded(Geolocation(country: "x"))?.city == MatchText(""))
  }

  private static func folded(_ geolocation: Geolocation) -> FoldedPlace? {
    var record = VisitorRecord(visitStart: Timestamp(milliseconds: 0))
    record.add(
      .geolocation(geolocation), visitorCode: "v", from: .application(isTracked: true),
      at: Timestamp(milliseconds: 0), catalogue: CustomDataCatalogue())
    return record.profile?.place
  }

  @Test("the literals of the format are known")
  func literals() {
    #expect(Device.allCases.map(\.rawValue) == ["PHONE", "TABLET", "DESKTOP"])
    #expect(
      OperatingSystem.allCases.map(\.rawValue) == [
        "WINDOWS", "MAC", "IOS", "LINUX", "ANDROID", "WINDOWS_PHONE",
      ])
    #expect(
      BrowserType.allCases.map(\.rawValue) == [
        "CHROME", "IE", "FIREFOX", "SAFARI", "OPERA", "OTHER",
      ])
    #expect(Holdout.inHoldoutKey == "in-holdout")
  }

  @Test("a page view record counts at least one view")
  func pageViewCount() {
    #expect(PageView(url: "a", title: nil, count: 0, lastTime: time(1)).count == 1)
    #expect(PageView(url: "a", title: nil, count: -3, lastTime: time(1)).count == 1)
  }

  @Test("moments compare by their milliseconds")
  func timestamps() {
    #expect(time(-1) < time(0))
    #expect(!(time(1) < time(1)))
    #expect(max(time(3), time(4)) == time(4))
  }

  @Test("a copy of a record is independent")
  func values() {
    var visitor = Visitor()
    visitor.add(.customData(index: 1, values: ["a"]))
    let copy = visitor.record
    visitor.add(.customData(index: 1, values: ["b"]))
    visitor.record.setLegalConsent(true)
    #expect(copy.profile?.customDatum(at: 1)?.values == ["a"])
    #expect(copy.consent == .unknown)
    #expect(copy != visitor.record)
    var other = Visitor()
    other.add(.customData(index: 1, values: ["a"]))
    #expect(copy == other.record)
    #expect(copy.hashValue == other.record.hashValue)
  }
}
