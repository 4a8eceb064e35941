// SPDX-License-Identifier: Apache-2.0

/// Compares a request with the recorded one, apart from the lines of a tracking body.
struct RequestComparison {
  /// Headers that belong to the transport, or that the specification adds to the recorded ones (1.5,
  /// 3.12).
  private static let ownHeaders: Set<String> = [
    "accept-encoding", "content-encoding", "content-length", "host", "user-agent",
  ]

  let expected: RecordedExchange.Request
  let actual: ObservedRequest

  /// Where the two part; nil if they agree.
  func difference(_ placeholders: inout SDKPlaceholders) -> String? {
    addressDifference ?? queryDifference(&placeholders) ?? headerDifference(&placeholders)
      ?? bodyDifference
  }

  private var addressDifference: String? {
    func unequal<Value: Equatable>(_ name: String, _ wanted: Value, _ got: Value) -> String? {
      wanted == got ? nil : "\(name): expected \(wanted), got \(got)"
    }
    return unequal("method", expected.method, actual.method)
      ?? unequal("scheme", expected.scheme, actual.scheme)
      ?? unequal("host", expected.host, actual.host)
      ?? unequal("port", Self.port(expected.port), Self.port(actual.port))
      ?? unequal("path", expected.path, actual.path)
  }

  private static func port(_ port: Int?) -> String {
    port.flatMap { $0 == 443 ? nil : "\($0)" } ?? "443"
  }

  /// Decoded parameters are compared; their order does not count.
  private func queryDifference(_ placeholders: inout SDKPlaceholders) -> String? {
    let (wanted, got): (QueryParameters, QueryParameters)
    do throws(WireFormatError) {
      (wanted, got) = (
        try QueryParameters(parsing: expected.query), try QueryParameters(parsing: actual.query)
      )
    } catch {
      return "query: \(error)"
    }
    var rest = got.parameters
    for parameter in wanted.parameters {
      guard let index = rest.firstIndex(where: { $0.name == parameter.name }) else {
        return "query: \(parameter.name)=\(parameter.value) is missing"
      }
      if let found = placeholders.difference(parameter.value, rest[index].value) {
        return "query: \(parameter.name): \(found)"
      }
      rest.remove(at: index)
    }
    return rest.first.map { "query: \($0.name)=\($0.value) was not expected" }
  }

  private func headerDifference(_ placeholders: inout SDKPlaceholders) -> String? {
    for header in expected.headers {
      let values = actual.headers.filter { $0.name.lowercased() == header.name.lowercased() }
      guard values.count == 1 else {
        return values.isEmpty
          ? "header \(header.name): \(header.value) is missing"
          : "header \(header.name) occurs \(values.count) times"
      }
      if let found = placeholders.difference(header.value, values[0].value) {
        return "header \(header.name): \(found)"
      }
    }
    let wanted = Set(expected.headers.map { $0.name.lowercased() })
    let surplus = actual.headers.first {
      !wanted.contains($0.name.lowercased()) && !Self.ownHeaders.contains($0.name.lowercased())
    }
    if let surplus { return "header \(surplus.name): \(surplus.value) was not expected" }
    return userAgentDifference
  }

  private var userAgentDifference: String? {
    guard let text = actual.userAgent, !text.isEmpty else { return "header User-Agent is missing" }
    let isPrintable = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    return isPrintable && !text.lowercased().hasPrefix("curl")
      ? nil : "header User-Agent: \"\(text)\" would be taken for a bot's"
  }

  private var bodyDifference: String? {
    switch expected.body {
    case .none:
      return actual.body.isEmpty ? nil : "a body of \(actual.body.count) bytes was not expected"
    case .text(let text):
      let found = String(decoding: actual.body, as: UTF8.self)
      return found == text ? nil : "body: expected \"\(text)\", got \"\(found.prefix(200))\""
    case .lines, .summary: return nil
    }
  }
}
