// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension Types {
  /// A variable of a variation.
  public struct Variable: Sendable, Hashable {
    /// The key.
    public let key: String
    /// The declared type: `BOOLEAN`, `NUMBER`, `STRING`, `JSON`, or what the configuration says.
    public let type: String
    /// The value, as the configuration has it.
    let content: VariableValue

    /// The value: `Bool`, `Int`, `Double`, `String`, `[String: Any]`, `[Any]` or nil.
    ///
    /// Whole numbers are `Int`. A value casts to its own type only: a `Bool` is no `Int`, an `Int` is
    /// neither `Bool` nor `Double`. ``Variation/double(_:default:)`` reads numbers of both kinds.
    public var value: Any? { content.native }

    /// The value as JSON text, without white space; nil if there is none.
    ///
    /// An extension. Members of a document keep their order.
    public var json: String? { content == .null ? nil : content.jsonValue.text() }

    /// Makes a variable.
    ///
    /// Numbers of all of Swift's types and `NSNumber` are taken, and so are lists and dictionaries of
    /// them; any other object counts as no value.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The declared type.
    ///   - value: The value.
    public init(key: String, type: String, value: Any?) {
      self.init(key: key, type: type, content: VariableValue(native: value))
    }

    init(key: String, type: String, content: VariableValue) {
      self.key = key
      self.type = type
      self.content = content
    }
  }
}
