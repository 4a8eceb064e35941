// SPDX-License-Identifier: Apache-2.0

/// Reads spans of time such as `30s`, `200ms` or `-1h`.
enum SpanText {
  private static let units: [(name: String, milliseconds: Int64)] = [
    ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]

  /// The span that a text spells; nil if it spells none, or one of more than a million of its unit.
  static func parse(_ text: String) -> Duration? {
    let digits = text.drop { $0 == "-" || $0 == "+" }.prefix { $0.isASCII && $0.isNumber }
    let sign = text.prefix(text.count - text.drop { $0 == "-" || $0 == "+" }.count)
    guard sign.count <= 1, let number = Int64(digits), number <= 1_000_000,
      let unit = units.first(where: { $0.name == text.dropFirst(sign.count + digits.count) })
    else { return nil }
    return .milliseconds((sign == "-" ? -number : number) * unit.milliseconds)
  }
}

extension Arguments {
  /// The value of an option as a span of time; nil if it was not given.
  ///
  /// - Throws: a sentence if the value is none within the bounds.
  func span(
    _ option: Option, in bounds: ClosedRange<Duration>, _ words: String
  ) throws(Failure) -> Duration? {
    guard let text = value(option) else { return nil }
    guard let span = SpanText.parse(text), bounds.contains(span) else {
      throw Failure("\(option.text) wants \(words), not \(Printable.quote(text))")
    }
    return span
  }
}
