// SPDX-License-Identifier: Apache-2.0

/// Framing of server-sent events.
enum StreamText {
  static func event(name: String?, data: String) -> [UInt8] {
    var text = ""
    // A line break in a name would start another field: it cannot be sent.
    if let name { text += "event: \(name.filter { !$0.isNewline })\n" }
    for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      text += "data: \(line)\n"
    }
    return Array((text + "\n").utf8)
  }

  static func comment(_ text: String) -> [UInt8] {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return Array((lines.map { ": \($0)\n" }.joined() + "\n").utf8)
  }
}
