// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// All that a command says, and how it ends.
struct Output: Sendable, Hashable {
  /// What goes to standard output.
  var text: String
  /// What goes to standard error: sentences, one a line.
  var remarks: [String]
  /// The exit status.
  var status: Int32
  /// What a terminal shows in colour.
  var colouring: Colouring
  /// Whether the text is for programs, so that a terminal must not change it.
  var isDocument: Bool

  private init(
    _ text: String, _ remarks: [String], _ status: Int32, _ colouring: Colouring,
    isDocument: Bool
  ) {
    self.text = text
    self.remarks = remarks.map { Printable.text($0) }
    self.status = status
    self.colouring = colouring
    self.isDocument = isDocument
  }

  /// Text for people; made printable, ended by a line break.
  init(
    lines: [String], remarks: [String] = [], status: Int32 = ExitStatus.success,
    colouring: Colouring = .none
  ) {
    let text = lines.map { Printable.text($0) + "\n" }.joined()
    self.init(text, remarks, status, colouring, isDocument: false)
  }

  /// Bytes as they came, which must be UTF-8.
  init(verbatim bytes: [UInt8]) {
    self.init(
      String(decoding: bytes, as: UTF8.self), [], ExitStatus.success, .none, isDocument: true)
  }

  /// A document for programs.
  init(json: JSONValue, remarks: [String] = [], status: Int32 = ExitStatus.success) {
    self.init(json.text(indented: true) + "\n", remarks, status, .none, isDocument: true)
  }

  /// A failure: a sentence, and for programs a document.
  init(_ failure: Failure, isJSON: Bool) {
    guard isJSON else {
      self.init(lines: [], remarks: [failure.description], status: failure.status)
      return
    }
    let error: JSONValue = [
      "kind": .string(failure.kind.rawValue), "message": .string(failure.description),
    ]
    self.init(json: ["error": error], remarks: [failure.description], status: failure.status)
  }
}

extension JSONValue {
  /// An integer; `null` for nil.
  static func id(_ value: Int64?) -> JSONValue { value.map { .number(.integer($0)) } ?? .null }

  /// A count.
  static func count(_ value: Int) -> JSONValue { .number(.integer(Int64(value))) }

  /// A double; `null` for nil.
  static func real(_ value: Double?) -> JSONValue { value.map { .number(.double($0)) } ?? .null }

  /// A string; `null` for nil.
  static func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }

  /// An object of the members that have a value.
  static func members(_ members: [(String, JSONValue?)]) -> JSONValue {
    .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
  }
}
