// SPDX-License-Identifier: Apache-2.0

/// Writes numbers for the wire and for comparison with texts: the shortest decimal form that reads
/// back to the same number, without exponent, grouping or locale (section 6.3).
public enum PlainDecimal: Sendable {
  /// The text of a number; nil for not-a-number and the infinities, which have no such form.
  ///
  /// For example `10`, `-5.25` and `0.00000015`. An integral value has no fraction; `-0` is `0`.
  public static func text(_ value: Double) -> String? {
    guard value.isFinite else { return nil }
    if let integer = Int64(exactly: value) { return String(integer) }
    return text(moving: value.description)
  }

  /// Moves the decimal point of a text like `1.5e-07` to where it belongs.
  private static func text(moving text: String) -> String {
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return text }
    let isNegative = parts[0].hasPrefix("-")
    let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".")
    var fraction = mantissa.count > 1 ? String(mantissa[1]) : ""
    if fraction == "0" { fraction = "" }
    let digits = String(mantissa[0]) + fraction
    let pointPosition = mantissa[0].count + exponent
    let plain: String
    if pointPosition <= 0 {
      plain = "0." + String(repeating: "0", count: -pointPosition) + digits
    } else if pointPosition >= digits.count {
      plain = digits + String(repeating: "0", count: pointPosition - digits.count)
    } else {
      plain = digits.prefix(pointPosition) + "." + digits.dropFirst(pointPosition)
    }
    return isNegative ? "-" + plain : plain
  }
}
