// SPDX-License-Identifier: Apache-2.0

/// One decoded parameter of a query or a tracking line.
public struct Parameter: Sendable, Hashable {
  /// The decoded name.
  public let name: String
  /// The decoded value; empty where there is no equals sign.
  public let value: String

  /// Makes a parameter.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// The parameters of a query string, in their order.
struct Query: Sendable, Hashable {
  private(set) var parameters: [Parameter] = []
  /// Whether a part could not be decoded; such a part is kept as it was written.
  private(set) var isMalformed = false

  init(_ text: some StringProtocol) {
    for part in text.split(separator: "&") {
      let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      parameters.append(
        Parameter(name: decoded(pieces[0]), value: pieces.count > 1 ? decoded(pieces[1]) : ""))
    }
  }

  /// The value of the first parameter with a name.
  subscript(name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  /// The value, if there is one that is not empty.
  func text(_ name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  private mutating func decoded(_ text: some StringProtocol) -> String {
    if let result = PercentEncoding.decode(text) { return result }
    isMalformed = true
    return String(text)
  }
}
