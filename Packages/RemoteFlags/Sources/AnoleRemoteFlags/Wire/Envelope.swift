// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Why an answer with status 200 cannot be used.
struct UnusableAnswer: Error, Sendable, Equatable {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

/// The frame that every answer of the JSON API 1.3 has (remote flags specification, section 2.1).
struct Envelope: Sendable {
  /// The member `response`; nil when there is none.
  let response: JSONValue?
  /// The member `base_url`, as the server wrote it.
  let baseURL: String?

  /// Reads an answer with status 200.
  init(reading body: [UInt8]) throws(UnusableAnswer) {
    let suspicion = "; something between here and the server may have answered in its place"
    guard !body.isEmpty else { throw UnusableAnswer("the answer is empty\(suspicion)") }
    let root: JSONValue
    do {
      root = try JSONLayers.value(of: body)
    } catch {
      throw UnusableAnswer("the answer is \(error)\(suspicion)")
    }
    guard case .object = root else {
      throw UnusableAnswer("the answer is no JSON object\(suspicion)")
    }
    guard let status = root["status_code"] else {
      throw UnusableAnswer("the answer has no status_code")
    }
    guard status.integerValue == 200 else {
      let text = root["status_message"]?.stringValue.map { ": \($0)" } ?? ""
      throw UnusableAnswer("the answer's status_code is \(Self.short(status))\(Self.short(text))")
    }
    response = root["response"]
    baseURL = root["base_url"]?.stringValue
  }

  /// A number as it is, for everything else its kind: a message must not carry a foreign document.
  private static func short(_ value: JSONValue) -> String {
    switch value {
    case .number(let number): short(number.description)
    case .null: "null"
    case .bool: "a Boolean"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  private static func short(_ text: String) -> String {
    text.utf8.count <= 200 ? text : String(text.prefix(100)) + "…"
  }
}
