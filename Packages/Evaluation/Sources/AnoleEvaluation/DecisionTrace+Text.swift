// SPDX-License-Identifier: Apache-2.0

import AnoleTargeting

extension DecisionTrace: CustomStringConvertible {
  /// The steps in order, one a line, indented.
  public var description: String {
    var lines = ["flag \"\(featureKey)\" for visitor \"\(visitorCode)\""]
    lines.append("  hash key: \"\(hashKey)\" (\(sourceText))")
    lines.append("  consent: \(consentText)")
    lines.append("  environment: \(isEnvironmentEnabled ? "enabled" : "disabled")")
    if isSimulated { lines.append("  simulation: a simulated variation decides") }
    if let holdout { lines += holdout.lines }
    if let group { lines += group.lines }
    for rule in rules { lines += rule.lines }
    if let outcome { lines.append("  result: \(outcome.text)") }
    if let failure { lines.append("  failed: \(failure)") }
    return lines.joined(separator: "\n")
  }

  private var sourceText: String {
    switch hashKeySource {
    case .visitorCode: "the visitor code"
    case .mappingIdentifier: "the mapping identifier"
    case .customData: "the value of the flag's bucketing custom data"
    }
  }

  private var consentText: String {
    guard consent.isRequired else { return "not required" }
    let extent = consent.blocksFully ? "fully" : "partially"
    return "required, \(consent.state); a refusal blocks \(extent)"
  }
}

extension DecisionTrace.Holdout {
  fileprivate var lines: [String] {
    let verdict = isInHoldout ? "in the holdout: every flag serves its default" : "not in it"
    return ["  holdout \(experimentID): \(hash.text): \(verdict)"] + ranges.map { "    \($0.text)" }
  }
}

extension DecisionTrace.Group {
  fileprivate var lines: [String] {
    let names = members.joined(separator: ", ")
    let how = hash.map { "\($0.text) × \(members.count)" } ?? "a single member"
    return ["  group \"\(name)\" (\(names)): \(how): \"\(picked)\" may be evaluated"]
  }
}

extension DecisionTrace.Hash {
  fileprivate var text: String { "hash of \"\(input)\" = \(value)" }
}

extension DecisionTrace.Range {
  fileprivate var text: String {
    let id = variationID.map { " (\($0))" } ?? ""
    return "\(isChosen ? "→" : " ") up to \(upTo): \(variationKey)\(id)"
  }
}

extension DecisionTrace.Rule {
  fileprivate var lines: [String] {
    var lines = ["  rule \(id) (\(type), experiment \(experimentID)): \(outcomeText)"]
    if let forced { lines.append("    forced \(forced)") }
    if let segment { lines += segment.lines(indentation: 2) }
    if let admission {
      let verdict = admission.value <= exposition ? "≤" : ">"
      lines.append("    admission: \(admission.text) \(verdict) exposition \(exposition)")
    }
    if !banditCandidates.isEmpty {
      let ids = banditCandidates.map(String.init).joined(separator: ", ")
      lines.append("    bandit: best scored variations \(ids)")
    }
    if let choice { lines.append("    choice: \(choice.text)") }
    return lines + ranges.map { "      \($0.text)" }
  }

  private var outcomeText: String {
    switch outcome {
    case .notTargeted: "not targeted, next rule"
    case .notAdmitted: type == "TARGETED_DELIVERY" ? "not admitted, end" : "not admitted, next rule"
    case .blockedByConsent: "blocked by refused consent, end"
    case .splitExhausted: "no entry of the split, next rule"
    case .emptyDelivery: "nothing to deliver, end"
    case .served: "served"
    }
  }
}

extension DecisionTrace.Outcome {
  fileprivate var text: String {
    let ids =
      if let experimentID {
        " (variation \(variationID.map(String.init) ?? "without id"), experiment \(experimentID))"
      } else {
        ""
      }
    return "\"\(variationKey)\"\(ids): \(reason.sentence)"
  }
}

extension Decision.Reason {
  /// The reason in words.
  public var sentence: String {
    switch self {
    case .experiment: "the split of an experiment"
    case .targetedDelivery: "a targeted delivery"
    case .bandit: "contextual bandit scores"
    case .forced: "forced for the experiment"
    case .simulated: "simulated"
    case .inHoldout: "default, the visitor is in the holdout"
    case .excludedByGroup: "default, another flag of the group was picked"
    case .notDelivered: "default, a delivery targets the visitor without serving anything"
    case .consentRefused: "default, consent was refused"
    case .noRuleApplied: "default, no rule applied"
    }
  }
}
