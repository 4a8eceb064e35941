// SPDX-License-Identifier: Apache-2.0

/// What is coloured in finished lines, on a terminal only.
///
/// The rules look at the text alone: a data file can at most get a wrong colour out of them.
enum Colouring: Sendable, Hashable {
  case none
  /// Steps of a decision: what matched, what was chosen, the result.
  case explanation
  /// A line a flag: active or not.
  case answers
  /// A line a finding: its place and its code.
  case findings
  /// Lines that begin with `+`, `-` or `~`.
  case differences

  /// The colours of a terminal.
  private enum Ink: Int {
    case bold = 1
    case faint = 2
    case red = 31
    case green = 32
    case yellow = 33
  }

  /// The lines that one line became, in colour.
  func painted(_ parts: [String]) -> [String] {
    guard let first = parts.first, let ink = ink(of: first, parts.joined()) else { return parts }
    return parts.map { "\u{1B}[\(ink.rawValue)m\($0)\u{1B}[0m" }
  }

  private func ink(of first: String, _ whole: String) -> Ink? {
    let start = first.drop { $0 == " " }
    switch self {
    case .none: return nil
    case .explanation:
      if start.hasPrefix("→") || start.hasPrefix("result:") { return .bold }
      if start.hasPrefix("rule "), whole.hasSuffix("served") { return .green }
      if whole.contains(": no match") || whole.hasSuffix("next rule") { return .faint }
      return whole.contains(": match") ? .green : nil
    case .answers:
      if whole.contains("  inactive") { return .faint }
      return whole.contains("  active") ? .green : nil
    case .findings:
      if whole.contains("error") { return .red }
      return whole.hasSuffix("]") ? .yellow : nil
    case .differences:
      switch start.first {
      case "+": return .green
      case "-": return .red
      case "~": return .yellow
      default: return nil
      }
    }
  }
}
