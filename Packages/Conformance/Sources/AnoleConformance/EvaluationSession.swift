// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// The visitors, the clock and the data file of one evaluation case; performs its steps.
struct EvaluationSession {
  private let snapshot: Snapshot
  private let visitorCode: String
  private var now: Timestamp
  private var visitors = VisitorStore(seed: 0)
  /// The visitors that wait for the next tracking request.
  private var registered: Set<String> = []

  init(snapshot: Snapshot, visitorCode: String, now: Timestamp, visitStart: Timestamp) {
    self.snapshot = snapshot
    self.visitorCode = visitorCode
    self.now = now
    visitors.withRecord(of: visitorCode, at: visitStart) { $0.visitStart = visitStart }
  }

  /// Performs a step.
  ///
  /// - Returns: what the call answers as JSON, or the error it fails with.
  mutating func perform(
    _ step: JSONValue
  ) throws(VectorError) -> Result<JSONValue, EvaluationError> {
    do {
      return .success(try answer(step, code: step["visitor"]?.stringValue ?? visitorCode))
    } catch let error as EvaluationError {
      return .failure(error)
    } catch let error as VectorError {
      throw error
    } catch {
      throw VectorError("\(error)")
    }
  }

  private mutating func answer(_ step: JSONValue, code: String) throws -> JSONValue {
    let operation = try VectorData.text(step, "op")
    switch operation {
    case "addData":
      let isTracked = step["track"]?.boolValue ?? true
      return try add(step, code, from: .application(isTracked: isTracked))
    case "loadRemote": return try add(step, code, from: .remote)
    case "advance":
      now = Timestamp(milliseconds: now.milliseconds + (try VectorData.integer(step, "ms")))
      return .null
    case "setLegalConsent", "setMappingIdentifier", "setForcedVariation", "simulate":
      return try set(step, operation, code)
    case "getVariation", "isFeatureActive", "getFeatureVariationKey", "getFeatureVariable":
      return try single(step, operation, code)
    case "getVariations", "getActiveFeatures", "getActiveFeatureList":
      return try all(step, operation, code)
    case "getFeatureVariationVariables":
      let variation = try snapshot.variation(
        try VectorData.text(step, "variationKey"),
        ofFlag: try VectorData.text(step, "featureKey"))
      return .object(
        variation.variables.map { .init(key: $0.key, value: $0.value.jsonValue) })
    case "getFeatureList":
      return .array(snapshot.featureKeys.sorted(by: Self.isBefore).map(JSONValue.string))
    case "getDataFile": return VectorAnswers.dataFile(snapshot)
    case "evaluateAudiences": return try evaluateAudiences(code)
    case "assigned":
      let assignments = visitors.record(of: code)?.assignments.all ?? []
      return .array(
        assignments.map {
          [.number(.integer($0.experimentID)), .number(.integer($0.variationID))]
        })
    case "tracking": return tracking(code)
    default: throw VectorError("unknown operation \"\(operation)\"")
    }
  }

  /// The order of the vectors: by scalars.
  private static func isBefore(_ left: String, _ right: String) -> Bool {
    left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
  }

  // MARK: - Data

  private mutating func add(
    _ step: JSONValue, _ code: String, from source: DatumSource
  ) throws -> JSONValue {
    for item in step["data"]?.arrayValue ?? [] {
      let datum = try VectorData.datum(item, now: now)
      let addition = visitors.withRecord(of: code, at: now) {
        $0.add(
          datum, visitorCode: code, from: source, at: now, catalogue: snapshot.customData)
      }
      if case .identified(let user) = addition { visitors.link(user, to: code, at: now) }
    }
    return .null
  }

  private mutating func set(
    _ step: JSONValue, _ operation: String, _ code: String
  ) throws -> JSONValue {
    try visitors.withRecord(of: code, at: now) { (record) throws in
      switch operation {
      case "setLegalConsent": record.setLegalConsent(step["value"]?.boolValue ?? false)
      case "setMappingIdentifier":
        record.adoptMappingIdentifier(try VectorData.text(step, "value"))
      case "setForcedVariation":
        let experimentID = try VectorData.integer(step, "experimentId")
        guard let key = step["variationKey"]?.stringValue else {
          return record.removeForcedVariation(experimentID: experimentID)
        }
        record.force(
          try snapshot.forcedVariation(
            experimentID: experimentID, variationKey: key,
            isTargetingForced: step["forceTargeting"]?.boolValue ?? true))
      default:
        let variations = step["variations"]?.objectValue ?? []
        record.simulate(
          variations.map { member in
            SimulatedVariation(
              featureKey: member.key, experimentID: member.value["expId"]?.integerValue ?? -1,
              variationID: member.value["varId"]?.integerValue)
          })
      }
    }
    return .null
  }

  // MARK: - Decisions

  private mutating func single(
    _ step: JSONValue, _ operation: String, _ code: String
  ) throws -> JSONValue {
    let featureKey = try VectorData.text(step, "featureKey")
    let isTracked = step["track"]?.boolValue ?? true
    let decision: Decision
    do throws(EvaluationError) {
      decision = try decide(featureKey, code, isTracked: isTracked)
    } catch {
      guard operation == "isFeatureActive", error.isDisabled else { throw error }
      return false
    }
    let variation = snapshot.variation(of: decision)
    let result: JSONValue
    switch operation {
    case "isFeatureActive": result = .bool(decision.isActive)
    case "getFeatureVariationKey": result = .string(decision.variationKey)
    case "getFeatureVariable":
      let variableKey = try VectorData.text(step, "variableKey")
      guard let variable = variation.variable(variableKey) else {
        throw EvaluationError.variableNotFound(variableKey: variableKey)
      }
      result = variable.value.jsonValue
    default:
      result = VectorAnswers.variation(
        variation, withVariables: step["variables"]?.boolValue ?? false)
    }
    if isTracked { registered.insert(code) }
    return result
  }

  private mutating func decide(
    _ featureKey: String, _ code: String, isTracked: Bool
  ) throws(EvaluationError) -> Decision {
    let moment = Moment(now: now)
    return try visitors.withRecord(of: code, at: now) { (record) throws(EvaluationError) in
      let decision = try snapshot.decide(
        featureKey, visitorCode: code, record: record, at: moment)
      snapshot.save(decision, in: &record, at: now, isTracked: isTracked)
      return decision
    }
  }

  private mutating func all(
    _ step: JSONValue, _ operation: String, _ code: String
  ) throws -> JSONValue {
    let isSaving = operation == "getVariations"
    let isTracked = isSaving && step["track"]?.boolValue ?? true
    let onlyActive = !isSaving || step["onlyActive"]?.boolValue ?? false
    let moment = Moment(now: now)
    var decisions: [Decision] = []
    try visitors.withRecord(of: code, at: now) { (record) throws(EvaluationError) in
      try snapshot.decideAll(
        visitorCode: code, record: &record, at: moment,
        saving: isSaving ? (isTracked ? .tracked : .silent) : .none
      ) { decisions.append($0) }
    }
    if isTracked { registered.insert(code) }
    let kept = decisions.filter { !onlyActive || $0.isActive }
    guard operation != "getActiveFeatureList" else {
      let keys = kept.map(snapshot.featureKey(of:)).sorted(by: Self.isBefore)
      return .array(keys.map(JSONValue.string))
    }
    let withVariables = step["variables"]?.boolValue ?? false
    return .object(
      kept.map { decision in
        JSONValue.Member(
          key: snapshot.featureKey(of: decision),
          value: VectorAnswers.variation(
            snapshot.variation(of: decision), withVariables: withVariables))
      })
  }

  private mutating func evaluateAudiences(_ code: String) throws -> JSONValue {
    let moment = Moment(now: now)
    let ids = try visitors.withRecord(of: code, at: now) {
      (record) throws(EvaluationError) in
      for id in try snapshot.audiences(visitorCode: code, record: record, at: moment) {
        record.add(targetedSegment: id)
      }
      return record.profile?.targetedSegments.map(\.id) ?? []
    }
    registered.insert(code)
    return .array(ids.sorted().map { .number(.integer($0)) })
  }

  private func tracking(_ code: String) -> JSONValue {
    let events = visitors.record(of: code)?.pendingEvents(
      isConsentRequired: snapshot.dataFile.configuration.isConsentRequired)
    return [
      "registered": .bool(registered.contains(code)),
      "events": .array((events ?? []).compactMap(VectorAnswers.event)),
    ]
  }
}

extension EvaluationError {
  /// Whether `isFeatureActive` answers false instead of failing (section 3.1).
  fileprivate var isDisabled: Bool {
    switch self {
    case .environmentDisabled, .blockedByConsent: true
    default: false
    }
  }
}
