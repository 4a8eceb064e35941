// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The Swift type of a variable, found from all of its values.
enum VariableType: Sendable, Hashable {
  case bool
  case int
  case double
  case string
  case json

  /// The type that holds all values.
  ///
  /// A declared `JSON` is kept as a document. Otherwise the values decide, as they do at run time;
  /// numbers are `Int` where all of them are whole. Without any value the declared type decides.
  init(of variables: [Variable]) {
    let values = variables.map(\.value).filter { $0 != .null }
    if variables.contains(where: { $0.type == "JSON" }) {
      self = .json
    } else if values.isEmpty {
      self = Self(declared: variables.first?.type ?? "")
    } else if values.allSatisfy({ $0.boolValue != nil }) {
      self = .bool
    } else if values.allSatisfy({ $0.intValue != nil }) {
      self = .int
    } else if values.allSatisfy({ $0.doubleValue != nil }) {
      self = .double
    } else if values.allSatisfy({ $0.stringValue != nil }) {
      self = .string
    } else {
      self = .json
    }
  }

  private init(declared type: String) {
    switch type {
    case "BOOLEAN": self = .bool
    case "NUMBER": self = .double
    case "STRING", "CSS", "JS": self = .string
    default: self = .json
    }
  }

  /// The name of the type.
  var name: String {
    switch self {
    case .bool: "Bool"
    case .int: "Int"
    case .double: "Double"
    case .string: "String"
    case .json: "JSON"
    }
  }

  /// The function of generated code that reads it.
  var reader: String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .double: "double"
    case .string: "string"
    case .json: "json"
    }
  }

  /// What it is in words.
  var words: String {
    switch self {
    case .bool: "true or false"
    case .int: "a whole number"
    case .double: "a number"
    case .string: "a text"
    case .json: "a JSON document"
    }
  }

  /// A value as Swift source; nil where it is none of the type.
  func literal(_ value: VariableValue) -> String? {
    switch self {
    case .bool: value.boolValue.map { "\($0)" }
    case .int: value.intValue.map { "\($0)" }
    case .double: value.doubleValue.map(SwiftLiteral.double)
    case .string: value.stringValue.map(SwiftLiteral.string)
    case .json:
      value == .null
        ? nil : "JSON(text: \(SwiftLiteral.string(value.jsonValue.text())))"
    }
  }
}
