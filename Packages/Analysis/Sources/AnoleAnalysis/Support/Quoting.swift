// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension String {
  /// The text as JSON writes it, in quotation marks, shortened: for sentences that name a key.
  var quoted: String {
    let limit = 80
    let isLong = unicodeScalars.count > limit
    let shown = isLong ? String(String.UnicodeScalarView(unicodeScalars.prefix(limit))) + "…" : self
    return JSONValue.string(shown).text()
  }
}

extension [String] {
  /// `a`, `a and b`, `a, b and c`; at most six, then how many more.
  var listed: String {
    let limit = 6
    let shown =
      count > limit ? Array(prefix(limit - 1)) + ["\(count - limit + 1) more"] : self
    guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
    return shown.dropLast().joined(separator: ", ") + " and " + last
  }
}
