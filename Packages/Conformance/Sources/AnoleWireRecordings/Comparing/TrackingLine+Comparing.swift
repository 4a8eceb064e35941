// SPDX-License-Identifier: Apache-2.0

extension TrackingLine {
  /// Where an actual line differs from this recorded one, apart from nonce and user agent; nil if it
  /// does not.
  ///
  /// The order of the parameters does not count, nor does the form of numbers; JSON is compared as JSON.
  package func difference(to actual: TrackingLine) -> String? {
    do throws(WireFormatError) {
      return try firstDifference(to: actual)
    } catch {
      return error.description
    }
  }

  private func firstDifference(to actual: TrackingLine) throws(WireFormatError) -> String? {
    guard visitor == actual.visitor else { return "expected \(visitor), got \(actual.visitor)" }
    for expected in parameters {
      guard let value = actual[expected.name] else { return "\(expected.name) is missing" }
      let found = QueryParameters.Parameter(name: expected.name, value: value)
      guard try LineValue(expected).accepts(try LineValue(found)) else {
        return "\(expected.name): expected \"\(expected.value)\", got \"\(value)\""
      }
    }
    let surplus = actual.parameters.first { self[$0.name] == nil }
    return surplus.map { "\($0.name)=\($0.value) was not expected" }
  }

  /// Whether an actual line is likely to be meant where this one was recorded.
  func resembles(_ actual: TrackingLine) -> Bool {
    guard kind == actual.kind else { return false }
    return ["index", "id", "goalId", "href"].allSatisfy { self[$0] == actual[$0] }
  }

  /// Kind and what tells it from others of the kind.
  var label: String {
    let keys = ["index", "id", "goalId", "href", "deviceType", "os", "browserIndex"]
    let key = keys.compactMap { name in self[name].map { "\(name)=\($0)" } }.first
    return "\(kind)" + (key.map { " \($0)" } ?? "")
  }
}
