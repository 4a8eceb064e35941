// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Turns the fields of a condition into a ``Condition``; fills the tables it refers to.
///
/// One method a condition type that has more than a line to it. Whatever cannot be compiled becomes
/// ``Condition/never(reason:)``: false before negation (section 4.1).
struct ConditionCompiler {
  /// What a condition may refer to in its data file.
  struct References {
    let sdk: SDKIdentity
    let segmentPositions: [Int64: Int]
    let flags: [FeatureFlag]
  }

  let references: References
  var tables = ConditionTables()
  private var textPositions: [MatchText: Int32] = [:]
  private var patternPositions: [MatchText: Result<Int32, PatternError>] = [:]
  private(set) var needsVariationKeys = false

  /// The default of `visitCount`, also for anything below 1 (section 4.2).
  private static let defaultVisitCount = 25

  init(references: References) {
    self.references = references
  }

  mutating func compile(_ fields: ConditionFields) -> Condition {
    do throws(Unusable) {
      return try condition(fields)
    } catch {
      return never(error.reason)
    }
  }

  mutating func never(_ reason: String) -> Condition {
    tables.reasons.append(reason)
    return .never(reason: Int32(tables.reasons.count - 1))
  }

  /// Why a condition cannot match.
  private struct Unusable: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }

    static func field(_ name: ConditionFields.Name) -> Unusable {
      Unusable("\"\(name)\" is missing or has an unknown value")
    }
  }

  private mutating func condition(_ fields: ConditionFields) throws(Unusable) -> Condition {
    guard let type = fields.text(.targetingType) else { throw .field(.targetingType) }
    switch type {
    case "CUSTOM_DATUM": return try customDatum(fields)
    case "DEVICE_TYPE":
      return .device(try literal(Device.self, fields.text(.device)?.uppercased(), .device))
    case "OPERATING_SYSTEM":
      return .operatingSystem(try literal(OperatingSystem.self, fields.text(.os), .os))
    case "GEOLOCATION": return try geolocation(fields)
    case "APPLICATION_VERSION":
      let (comparison, version) = try versionTest(fields)
      return .applicationVersion(comparison, version)
    case "SDK_LANGUAGE": return try sdkLanguage(fields)
    case "VISITOR_CODE":
      return .visitorCode(try textTest(fields, operator: .matchType, value: .visitorCode))
    case "CONVERSIONS": return try conversions(fields)
    case "TARGET_FEATURE_FLAG": return try featureFlag(fields)
    case "TARGET_EXPERIMENT": return try experiment(fields)
    case "TARGET_PERSONALIZATION":
      let id = try integer(fields, .personalizationId)
      return .personalization(id: id, scope(fields, isCurrentVisitByDefault: true))
    case "EXCLUSIVE_EXPERIMENT": return try exclusiveExperiment(fields)
    case "SEGMENT": return try segment(fields)
    case "FIRST_VISIT": return .firstVisit(try numberTest(fields, .countInMillis))
    case "LAST_VISIT": return .lastVisit(try numberTest(fields, .countInMillis))
    case "VISITS": return .visits(try numberTest(fields, .visitCount))
    case "SAME_DAY_VISITS": return .sameDayVisits(try numberTest(fields, .visitCount))
    case "NEW_VISITORS": return try newVisitors(fields)
    case "HEAT_SLICE": return try heatSlice(fields)
    case "BROWSER": return try browser(fields)
    case "COOKIE":
      let name = try textTest(fields, operator: .nameMatchType, value: .name)
      return .cookie(
        name: name, value: try textTest(fields, operator: .valueMatchType, value: .value))
    case "PAGE_URL": return .pageURL(try textTest(fields, operator: .matchType, value: .url))
    case "PAGE_TITLE": return .pageTitle(try textTest(fields, operator: .matchType, value: .title))
    case "PREVIOUS_PAGE":
      return .previousPage(try textTest(fields, operator: .matchType, value: .url))
    case "PAGE_VIEWS": return .pageViews(try numberTest(fields, .pageCount))
    default: throw Unusable("this version does not know the condition type \"\(type)\"")
    }
  }

  // MARK: - Types

  private mutating func customDatum(_ fields: ConditionFields) throws(Unusable) -> Condition {
    let index: Int
    switch fields[.customDataIndex] {
    // A text that is no plain index never finds data, which `UNDEFINED` accepts.
    case .text(let text): index = Self.plainIndex(text) ?? .min
    case .number(let number): index = number.asInteger.flatMap(Int.init(exactly:)) ?? .min
    default: throw .field(.customDataIndex)
    }
    return .customDatum(index: index, test: try customDatumTest(fields))
  }

  private mutating func customDatumTest(
    _ fields: ConditionFields
  ) throws(Unusable) -> CustomDatumTest {
    switch fields.text(.valueMatchType) {
    case "EXACT", "CONTAINS", "REGULAR_EXPRESSION":
      return .text(try textTest(fields, operator: .valueMatchType, value: .value))
    case "TRUE": return .text(.exact(text("true")))
    case "FALSE": return .text(.exact(text("false")))
    case "EQUAL":
      return .number(NumberTest(comparison: .nearlyEqual, value: try lenientNumber(fields)))
    case "GREATER":
      return .number(NumberTest(comparison: .greater, value: try lenientNumber(fields)))
    case "LOWER": return .number(NumberTest(comparison: .lower, value: try lenientNumber(fields)))
    case "AMONG_VALUES":
      guard let text = fields.text(.value), let elements = AmongValues.elements(of: text) else {
        throw Unusable("\"value\" is not a JSON list in a string")
      }
      tables.lists.append(ValueList(elements))
      return .among(Int32(tables.lists.count - 1))
    case "UNDEFINED": return .isUndefined
    default: throw .field(.valueMatchType)
    }
  }

  private mutating func geolocation(_ fields: ConditionFields) throws(Unusable) -> Condition {
    guard let country = fields.filledText(.country) else { throw .field(.country) }
    return .geolocation(
      country: text(country.lowercased()),
      region: fields.filledText(.region).map { text($0.lowercased()) },
      city: fields.filledText(.city).map { text($0.lowercased()) })
  }

  private func sdkLanguage(_ fields: ConditionFields) throws(Unusable) -> Condition {
    guard let name = fields.text(.sdkLanguage) else { throw .field(.sdkLanguage) }
    var isOurs = MatchText(name) == MatchText(references.sdk.name)
    if fields.filledText(.version) != nil {
      let (comparison, version) = try versionTest(fields)
      let ours = AppVersion(references.sdk.version)
      isOurs = isOurs && ours.map { comparison.accepts($0, comparedWith: version) } == true
    }
    return .sdkLanguage(isOurs: isOurs)
  }

  private func conversions(_ fields: ConditionFields) throws(Unusable) -> Condition {
    let goalID = fields.isAbsent(.goalId) ? nil : try integer(fields, .goalId)
    return .conversions(goalID: goalID, scope(fields, isCurrentVisitByDefault: false))
  }

  private mutating func featureFlag(_ fields: ConditionFields) throws(Unusable) -> Condition {
    let id = try integer(fields, .featureFlagId)
    guard let flag = references.flags.last(where: { $0.id == id }) else {
      throw Unusable("no flag has the id \(id)")
    }
    // 0 means any rule, like absence (section 4.3).
    let ruleID = fields.isAbsent(.ruleId) ? 0 : try integer(fields, .ruleId)
    let rules = flag.rules.filter { ruleID == 0 || $0.id == ruleID }
    let first = Int32(tables.experimentIDs.count)
    tables.experimentIDs += rules.map(\.experimentID)
    var variationKey: TextReference?
    if !fields.isAbsent(.variationKey) {
      guard let key = fields.text(.variationKey) else { throw .field(.variationKey) }
      variationKey = text(key)
      needsVariationKeys = true
    }
    return .featureFlag(
      first: first, count: Int32(rules.count), variationKey: variationKey,
      scope(fields, isCurrentVisitByDefault: true))
  }

  private func experiment(_ fields: ConditionFields) throws(Unusable) -> Condition {
    let id = try integer(fields, .experimentId)
    let scope = scope(fields, isCurrentVisitByDefault: true)
    switch fields.text(.variationMatchType) {
    case "ANY": return .experiment(id: id, variationID: nil, scope)
    case "EXACT":
      return .experiment(id: id, variationID: try integer(fields, .variationId), scope)
    default: throw .field(.variationMatchType)
    }
  }

  private func exclusiveExperiment(_ fields: ConditionFields) throws(Unusable) -> Condition {
    let scope = scope(fields, isCurrentVisitByDefault: false)
    switch fields.text(.campaignType) {
    case "EXPERIMENT": return .exclusiveExperiment(.experiment, scope)
    case "PERSONALIZATION": return .exclusiveExperiment(.personalization, scope)
    case "ANY": return .exclusiveExperiment(.any, scope)
    default: throw .field(.campaignType)
    }
  }

  private func segment(_ fields: ConditionFields) throws(Unusable) -> Condition {
    let id = try integer(fields, .segmentId)
    guard let position = references.segmentPositions[id] else {
      throw Unusable("no segment has the id \(id)")
    }
    return .segment(position: Int32(position))
  }

  private func newVisitors(_ fields: ConditionFields) throws(Unusable) -> Condition {
    switch fields.text(.visitorType)?.uppercased() {
    case "NEW": return .newVisitors(isNew: true)
    case "RETURNING": return .newVisitors(isNew: false)
    default: throw .field(.visitorType)
    }
  }

  private func heatSlice(_ fields: ConditionFields) throws(Unusable) -> Condition {
    guard let lower = fields.number(.lowerBound) else { throw .field(.lowerBound) }
    guard let upper = fields.number(.upperBound) else { throw .field(.upperBound) }
    return .heatSlice(
      keyMomentID: try integer(fields, .keyMomentId), goalID: try integer(fields, .goalId),
      bounds: ScoreBounds(lower: lower, upper: upper))
  }

  private func browser(_ fields: ConditionFields) throws(Unusable) -> Condition {
    let type = try literal(BrowserType.self, fields.text(.browser), .browser)
    guard !fields.isAbsent(.version), fields.text(.version) != "" else {
      return .browser(type, version: nil)
    }
    let (comparison, version) = try versionTest(fields)
    let numeric: NumberTest.Operator =
      switch comparison {
      case .equal: .equal
      case .greater: .greater
      case .lower: .lower
      }
    return .browser(type, version: NumberTest(comparison: numeric, value: version.majorMinor))
  }

  // MARK: - Pieces

  private mutating func textTest(
    _ fields: ConditionFields, operator matchType: ConditionFields.Name,
    value: ConditionFields.Name
  ) throws(Unusable) -> TextTest {
    guard let wanted = fields.text(value) else { throw .field(value) }
    switch fields.text(matchType) {
    case "EXACT": return .exact(text(wanted))
    case "CONTAINS": return .contains(text(wanted))
    case "REGULAR_EXPRESSION": return .pattern(try pattern(wanted))
    default: throw .field(matchType)
    }
  }

  private func numberTest(
    _ fields: ConditionFields, _ name: ConditionFields.Name
  ) throws(Unusable) -> NumberTest {
    guard let value = fields.number(name) else { throw .field(name) }
    switch fields.text(.matchType) {
    case "EQUAL": return NumberTest(comparison: .equal, value: value)
    case "GREATER": return NumberTest(comparison: .greater, value: value)
    case "LOWER": return NumberTest(comparison: .lower, value: value)
    default: throw .field(.matchType)
    }
  }

  private func versionTest(
    _ fields: ConditionFields
  ) throws(Unusable) -> (VersionComparison, AppVersion) {
    guard let version = fields.text(.version).flatMap(AppVersion.init) else {
      throw .field(.version)
    }
    switch fields.text(.versionMatchType)?.uppercased() {
    case "EQUAL": return (.equal, version)
    case "GREATER": return (.greater, version)
    case "LOWER": return (.lower, version)
    default: throw .field(.versionMatchType)
    }
  }

  private func lenientNumber(_ fields: ConditionFields) throws(Unusable) -> Double {
    let number =
      switch fields[.value] {
      case .number(let number): number.asDouble
      case .text(let text): LenientNumber.parse(text)
      default: Double?.none
      }
    guard let number else { throw Unusable("\"value\" is not a number") }
    return number
  }

  private func scope(_ fields: ConditionFields, isCurrentVisitByDefault: Bool) -> VisitScope {
    let isCurrentVisitOnly =
      switch fields.text(.visitScope)?.uppercased() {
      case "CURRENT_VISIT": true
      case "VISITOR": false
      default: isCurrentVisitByDefault
      }
    let count = fields.integer(.visitCount) ?? 0
    let visitCount = count >= 1 ? Int(min(count, 1_000)) : Self.defaultVisitCount
    return VisitScope(isCurrentVisitOnly: isCurrentVisitOnly, visitCount: Int32(visitCount))
  }

  private func integer(
    _ fields: ConditionFields, _ name: ConditionFields.Name
  ) throws(Unusable) -> Int64 {
    guard let value = fields.integer(name) else { throw .field(name) }
    return value
  }

  private func literal<Literal: RawRepresentable<String>>(
    _: Literal.Type, _ text: String?, _ name: ConditionFields.Name
  ) throws(Unusable) -> Literal {
    guard let literal = text.flatMap(Literal.init(rawValue:)) else { throw .field(name) }
    return literal
  }

  private mutating func text(_ string: String) -> TextReference {
    let text = MatchText(string)
    if let position = textPositions[text] { return TextReference(position: position) }
    let position = Int32(tables.texts.count)
    tables.texts.append(text)
    textPositions[text] = position
    return TextReference(position: position)
  }

  private mutating func pattern(_ string: String) throws(Unusable) -> Int32 {
    let key = MatchText(string)
    let known = patternPositions[key]
    let result = known ?? compilePattern(string)
    patternPositions[key] = result
    switch result {
    case .success(let position): return position
    case .failure(let error): throw Unusable(error.description)
    }
  }

  private mutating func compilePattern(_ string: String) -> Result<Int32, PatternError> {
    do throws(PatternError) {
      tables.patterns.append(try Pattern(string))
      return .success(Int32(tables.patterns.count - 1))
    } catch {
      return .failure(error)
    }
  }

  private static func plainIndex(_ text: String) -> Int? {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isPlain ? Int(text) : nil
  }
}
