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

  /// Text for people; made printable, ended by a line break.
  init(lines: [String], remarks: [String] = [], status: Int32 = ExitStatus.success) {
    text = lines.map { Printable.text($0) + "\n" }.joined()
    self.remarks = remarks.map { Printable.text($0) }
    self.status = status
  }

  /// Bytes as they came, which must be UTF-8.
  init(verbatim bytes: [UInt8]) {
    text = String(decoding: bytes, as: UTF8.self)
    remarks = []
    status = ExitStatus.success
  }

  /// A document for programs.
  init(json: JSONValue, remarks: [String] = [], status: Int32 = ExitStatus.success) {
    text = json.text(indented: true) + "\n"
    self.remarks = remarks.map { Printable.text($0) }
    self.status = status
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
