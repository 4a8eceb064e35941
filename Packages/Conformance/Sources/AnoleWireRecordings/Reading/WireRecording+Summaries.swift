// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension WireRecording {
  /// Replaces the summaries of bodies that were too large to be recorded by their lines: one for each
  /// custom datum that the steps add to the visitors named.
  package mutating func expandSummaries() throws(WireFormatError) {
    for index in exchanges.indices {
      guard case .summary(let count, let visitors) = exchanges[index].request.body else { continue }
      var lines: [TrackingLine] = []
      for visitor in visitors { lines += try self.lines(addedTo: visitor) }
      guard lines.count == count else {
        throw WireFormatError(
          "exchange \(exchanges[index].sequence): \(count) lines, but \(lines.count) custom data")
      }
      exchanges[index].request.body = .lines(lines)
    }
  }

  private func lines(addedTo visitor: String) throws(WireFormatError) -> [TrackingLine] {
    var lines: [TrackingLine] = []
    let steps = steps.filter { $0.operation == .addData && $0.visitorCode == visitor }
    for item in steps.flatMap({ $0.fields["data"]?.arrayValue ?? [] }) {
      guard item["type"] == "customData", let index = item["index"]?.integerValue else {
        throw WireFormatError("a summary can only stand for custom data by index")
      }
      let values = item["values"]?.arrayValue?.compactMap(\.stringValue) ?? []
      let map = JSONValue.object(values.map { JSONValue.Member(key: $0, value: 1) })
      let overwrite = item["overwrite"]?.boolValue ?? true
      lines.append(
        try TrackingLine(
          parsing: "nonce={NONCE_\(visitor)_\(index)}&eventType=customData&index=\(index)"
            + "&valuesCountMap=\(Self.escaped(map.text()))&overwrite=\(overwrite)"
            + "&visitorCode=\(Self.escaped(visitor))"))
    }
    return lines
  }

  /// Only what has a meaning in a query string: the line is read back at once.
  private static func escaped(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("&", with: "%26").replacing("=", with: "%3D")
  }

  /// Writes long values out again that were shortened to `xxxxxxxx…(1400000 characters)`.
  static func unshortened(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): return .string(unshortened(text))
    case .array(let values): return .array(values.map(unshortened))
    case .object(let members):
      return .object(members.map { .init(key: $0.key, value: unshortened($0.value)) })
    default: return value
    }
  }

  private static func unshortened(_ text: String) -> String {
    guard let first = text.first, text.hasSuffix(" characters)"),
      let mark = text.firstRange(of: "…("), text[..<mark.lowerBound].allSatisfy({ $0 == first }),
      let count = Int(text[mark.upperBound...].dropLast(" characters)".count))
    else { return text }
    return String(repeating: first, count: count)
  }
}
