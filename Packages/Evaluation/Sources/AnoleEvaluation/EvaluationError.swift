// SPDX-License-Identifier: Apache-2.0

/// Why a call about flags cannot be answered (section 3.12).
public enum EvaluationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The visitor code is empty or longer than ``VisitorCode/maximumLength``.
  case visitorCodeInvalid
  /// No flag has the key.
  case featureNotFound(featureKey: String)
  /// The flag is off in this environment.
  case environmentDisabled(featureKey: String)
  /// Consent is required and refused, and the project blocks experiments fully then. The vendor
  /// reports this as a disabled environment.
  case blockedByConsent(featureKey: String)
  /// The flag, or the rule of a forced experiment, has no variation with the key.
  case variationNotFound(variationKey: String)
  /// The variation has no variable with the key.
  case variableNotFound(variableKey: String)
  /// No rule of the data file carries the experiment.
  case experimentNotFound(experimentID: Int64)

  /// One sentence with the next step.
  public var description: String {
    switch self {
    case .visitorCodeInvalid:
      "the visitor code must have 1 to \(VisitorCode.maximumLength) characters"
    case .featureNotFound(let key):
      "no flag has the key \"\(key)\"; check its spelling and the data file's environment"
    case .environmentDisabled(let key):
      "the flag \"\(key)\" is switched off in this environment; switch it on to evaluate it"
    case .blockedByConsent(let key):
      "the flag \"\(key)\" is blocked: the visitor refused consent and the project blocks fully"
    case .variationNotFound(let key):
      "there is no variation \"\(key)\" here; check its spelling"
    case .variableNotFound(let key):
      "the variation has no variable \"\(key)\"; check its spelling"
    case .experimentNotFound(let id):
      "no rule carries the experiment \(id); check the id and the data file's environment"
    }
  }
}

/// The rules for visitor codes (section 6.4).
public enum VisitorCode: Sendable {
  /// The greatest length in Unicode scalars.
  public static let maximumLength = 255

  /// Whether a text may be a visitor code: 1 to 255 Unicode scalars of any kind.
  @inline(__always)
  public static func isValid(_ code: String) -> Bool {
    let bytes = code.utf8.count
    if bytes == 0 { return false }
    return bytes <= maximumLength || code.unicodeScalars.count <= maximumLength
  }
}
