// SPDX-License-Identifier: Apache-2.0

public import AnoleEvaluation

/// What a visitor gets of a flag, and why; an extension.
///
/// It can be printed, and written as JSON and read again. The trace names the visitor's data: treat it as
/// personal.
public struct FlagDecision: Sendable, Hashable, Codable, CustomStringConvertible {
  /// What led to the variation.
  public typealias Reason = Decision.Reason

  /// The flag's key.
  public let featureKey: String
  /// The variation.
  public let variation: Types.Variation
  /// Why it is this one.
  public let reason: Reason
  /// The rule that decided; nil for a default variation.
  public let ruleId: Int?
  /// Where the configuration comes from; nil from clients without one.
  public let origin: DataFileOrigin?
  /// Every step that led here; nil from clients that do not evaluate, such as stand-ins in tests.
  public let trace: DecisionTrace?

  /// Whether the feature is active: the variation's key is not `off`.
  public var isActive: Bool { variation.key != "off" }

  /// Makes a decision.
  ///
  /// - Parameters:
  ///   - featureKey: The flag's key.
  ///   - variation: The variation.
  ///   - reason: Why it is this one.
  ///   - ruleId: The rule that decided.
  ///   - origin: Where the configuration comes from.
  ///   - trace: Every step that led here.
  public init(
    featureKey: String, variation: Types.Variation, reason: Reason, ruleId: Int? = nil,
    origin: DataFileOrigin? = nil, trace: DecisionTrace? = nil
  ) {
    self.featureKey = featureKey
    self.variation = variation
    self.reason = reason
    self.ruleId = ruleId
    self.origin = origin
    self.trace = trace
  }

  /// The result and its reason, and below them the steps of the trace.
  public var description: String {
    var lines = ["\(featureKey): \"\(variation.key)\" (\(reason.sentence))"]
    if let origin { lines.append("configuration: \(origin)") }
    if let trace { lines.append(trace.description) }
    return lines.joined(separator: "\n")
  }
}
