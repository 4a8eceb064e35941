// SPDX-License-Identifier: Apache-2.0

/// The rule for host names: labels of ASCII letters, digits and hyphens, joined by single dots.
enum HostName {
  /// Whether a text is such a name with a number of labels in a range.
  static func isValid(_ text: String, labels range: ClosedRange<Int>) -> Bool {
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return range.contains(labels.count) && labels.allSatisfy(isLabel)
  }

  private static func isLabel(_ label: Substring.UTF8View) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return !label.isEmpty && label.first != hyphen && label.last != hyphen
      && label.allSatisfy { byte in
        byte == hyphen || ASCIIText.isDigit(byte) || (byte < 0x80 && ASCIIText.isLetter(byte))
      }
  }
}
