// SPDX-License-Identifier: Apache-2.0

/// Numbers and lists in words.
enum Wording {
  /// `a`, `a or b`, `a, b or c`.
  static func list(_ items: [String], _ conjunction: String) -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
  }

  /// `1 flag`, `2 flags`.
  static func count(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  /// A share in per cent with two decimals: `33.00 %`.
  static func percent(_ share: Double) -> String { decimals(share * 100) + " %" }

  /// A difference of shares in percentage points, with its sign: `+0.12`.
  static func points(_ difference: Double) -> String {
    let text = decimals(abs(difference) * 100)
    if text == "0.00" { return "±0.00" }
    return (difference < 0 ? "-" : "+") + text
  }

  /// A count with commas: `100,000`.
  static func grouped(_ count: Int) -> String {
    let digits = Array(String(count))
    var text = ""
    for (position, digit) in digits.enumerated() {
      let isBoundary = position > 0 && (digits.count - position).isMultiple(of: 3)
      if isBoundary, digits[position - 1] != "-" { text += "," }
      text.append(digit)
    }
    return text
  }

  /// A p-value: `p = 0.4321`, `p < 0.0001`.
  static func probability(_ value: Double) -> String {
    guard value >= 0.0001 else { return "p < 0.0001" }
    let digits = String(Int((value * 10_000).rounded()))
    let padded = String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    return "p = \(padded.dropLast(4)).\(padded.suffix(4))"
  }

  /// A number with two decimals: `12.30`.
  static func decimals(_ number: Double) -> String {
    guard abs(number) < 1e15 else { return "\(number)" }
    let hundredths = Int((number * 100).rounded())
    let fraction = String(hundredths % 100)
    return "\(hundredths / 100)." + (fraction.count == 1 ? "0" : "") + fraction
  }
}
