// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Why a call of the client failed (API specification, section 2.6).
public enum KameleoonError: Error, Sendable, Hashable {
  /// No configuration is in force yet.
  case sdkNotReady
  /// The site code is empty.
  case siteCodeIsEmpty
  /// The visitor code, which is the payload, is empty or too long.
  case visitorCodeInvalid(String)
  /// The data file cannot be read.
  case dataFileInvalid

  /// Why a call about a flag or an experiment failed.
  public enum Feature: Error, Sendable, Hashable {
    /// No flag has the key.
    case notFound(String)
    /// The flag is switched off in the environment (nil for the default one), or blocked for a visitor
    /// who refused consent.
    case environmentDisabled(String, String?)
    /// The variation of the flag has no variable with the key: flag, variation, variable.
    case variableNotFound(String, String, String)
    /// The flag or the experiment has no variation with the key: flag or experiment, variation.
    case variationNotFound(String, String)
    /// No rule carries the experiment with the id.
    case experimentNotFound(Int)
  }
}

extension KameleoonError: LocalizedError, CustomStringConvertible {
  /// One sentence with the next step; it contains no visitor code.
  public var description: String {
    switch self {
    case .sdkNotReady:
      "The client is not ready: no configuration has arrived yet; call runWhenReady first"
    case .siteCodeIsEmpty:
      "The site code is empty; pass the one that the platform shows for the project"
    case .visitorCodeInvalid(let code):
      code.isEmpty
        ? "The visitor code is empty; pass nil to have one generated"
        : "The visitor code has \(code.unicodeScalars.count) characters; at most 255 are allowed"
    case .dataFileInvalid:
      "The data file cannot be read; the log tells where it is damaged"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension KameleoonError.Feature: LocalizedError, CustomStringConvertible {
  /// One sentence with the next step.
  public var description: String {
    switch self {
    case .notFound(let feature):
      "No flag has the key \"\(feature)\"; check its spelling and the environment"
    case .environmentDisabled(let feature, let environment):
      "The flag \"\(feature)\" is switched off in the environment "
        + "\"\(environment ?? "production")\"; switch it on, or use the default there"
    case .variableNotFound(let feature, let variation, let variable):
      "The variation \"\(variation)\" of the flag \"\(feature)\" has no variable "
        + "\"\(variable)\"; check its spelling"
    case .variationNotFound(let owner, let variation):
      "\"\(owner)\" has no variation \"\(variation)\"; check its spelling"
    case .experimentNotFound(let id):
      "No rule carries the experiment \(id); check the id and the environment"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
