// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a terminal can show.
struct Terminal: Sendable {
  /// How many columns there are; at least ``narrowest``.
  let columns: Int
  /// Whether colours are wanted.
  let hasColours: Bool

  /// Lines are not broken for less.
  static let narrowest = 20
  private static let usual = 80

  init(columns: Int, hasColours: Bool) {
    self.columns = max(columns, Self.narrowest)
    self.hasColours = hasColours
  }

  /// The terminal behind standard output; nil if it leads elsewhere.
  static var standardOutput: Terminal? { terminal(behind: STDOUT_FILENO) }
  /// The terminal behind standard error; nil if it leads elsewhere.
  static var standardError: Terminal? { terminal(behind: STDERR_FILENO) }

  private static func terminal(behind descriptor: Int32) -> Terminal? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    // NO_COLOR: whatever it says, as no-color.org has it.
    let isPlain =
      HTTPProxy.environmentVariable("NO_COLOR").map { !$0.isEmpty } ?? false
      || HTTPProxy.environmentVariable("TERM") == "dumb"
    return Terminal(columns: isKnown ? Int(size.ws_col) : usual, hasColours: !isPlain)
  }

  /// Breaks a line between words, where it is wider than the terminal; what follows is indented.
  ///
  /// A word that is wider than the terminal stays whole: the terminal breaks it, and it can be copied.
  func broken(_ line: String) -> [String] {
    guard line.count > columns else { return [line] }
    let indentation = line.prefix { $0 == " " }.count
    let hanging = String(repeating: " ", count: min(indentation + 2, columns / 2))
    var lines: [String] = []
    var current = String(repeating: " ", count: min(indentation, columns / 2))
    var isEmpty = true
    for word in line.dropFirst(indentation).split(separator: " ", omittingEmptySubsequences: false)
    {
      // Columns of a table are parted by several spaces, which are empty words here.
      if isEmpty {
        current += word
        isEmpty = false
      } else if current.count + 1 + word.count <= columns {
        current += " " + word
      } else if !word.isEmpty {
        lines.append(current)
        current = hanging + word
      }
    }
    lines.append(current)
    return lines.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}

extension Output {
  /// The text as a terminal shows it.
  func text(for terminal: Terminal) -> String {
    // A JSON document stays as it is, so that it can be copied.
    guard !isDocument else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return lines.flatMap { line in
      let parts = terminal.broken(String(line))
      return terminal.hasColours ? colouring.painted(parts) : parts
    }
    .map { $0 + "\n" }.joined()
  }
}
