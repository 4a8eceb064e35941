// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation

/// Why a variable cannot be read as a type; an extension.
public struct VariableError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// What went wrong, coarse enough to switch over.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind { case missing, mismatch }
    private let kind: Kind

    /// The variation has no variable with the key, or it has no value.
    public static let missing = Code(kind: .missing)
    /// The value does not have the form that the type asks for.
    public static let mismatch = Code(kind: .mismatch)

    /// The code's name.
    public var description: String { "\(kind)" }
  }

  /// The kind of failure.
  public let code: Code
  /// The variation, the variable and what is wrong.
  public let message: String

  /// Kind and message.
  public var description: String { "\(code): \(message)" }

  /// The message.
  public var errorDescription: String? { message }
}

// Reading variables by type; extensions.
extension Types.Variation {
  /// A Boolean variable.
  ///
  /// - Parameters:
  ///   - key: The variable's key.
  ///   - defaultValue: What counts where there is no variable with the key, or its value is no Boolean.
  public func bool(_ key: String, default defaultValue: Bool) -> Bool {
    variables[key]?.content.boolValue ?? defaultValue
  }

  /// A variable that is a whole number.
  ///
  /// - Parameters:
  ///   - key: The variable's key.
  ///   - defaultValue: What counts where there is no variable with the key, or its value is no whole
  ///     number. A Boolean is none.
  public func int(_ key: String, default defaultValue: Int) -> Int {
    switch variables[key]?.content {
    case .int(let value): Int(value)
    case .double(let value): Int(exactly: value) ?? defaultValue
    default: defaultValue
    }
  }

  /// A variable that is a number, a whole one too.
  ///
  /// - Parameters:
  ///   - key: The variable's key.
  ///   - defaultValue: What counts where there is no variable with the key, or its value is no number. A
  ///     Boolean is none.
  public func double(_ key: String, default defaultValue: Double) -> Double {
    variables[key]?.content.doubleValue ?? defaultValue
  }

  /// A variable that is a text.
  ///
  /// - Parameters:
  ///   - key: The variable's key.
  ///   - defaultValue: What counts where there is no variable with the key, or its value is no text.
  public func string(_ key: String, default defaultValue: String) -> String {
    variables[key]?.content.stringValue ?? defaultValue
  }

  /// A variable as a type of the application.
  ///
  /// - Parameters:
  ///   - key: The variable's key.
  ///   - type: The type.
  /// - Throws: ``VariableError``.
  public func decode<Value: Decodable>(_ key: String, as type: Value.Type) throws -> Value {
    let place = "variable \"\(key)\" of variation \"\(self.key)\""
    guard let content = variables[key]?.content, content != .null else {
      throw VariableError(code: .missing, message: "\(place) has no value; check its spelling")
    }
    do {
      return try JSONDecoder().decode(type, from: Data(content.jsonValue.text().utf8))
    } catch {
      throw VariableError(code: .mismatch, message: "\(place) is no \(type): \(error)")
    }
  }
}
