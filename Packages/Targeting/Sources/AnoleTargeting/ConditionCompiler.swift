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
    .never(Self.append(reason, to: &tables.reasons))
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
    guard fields.isIncludeReadable else { throw .field(.isInclude) }
    switch type {
    case "CUSTOM_DATUM": return try customDatum(fields)
    case "DEVICE_TYPE":
      return .device(try literal(Device.self, fields.text(.device)?.uppercased(), .device))
    case "OPERATING_SYSTEM":
      return .operatingSystem(try literal(OperatingSystem.self, fields.text(.os), .os))
    case "GEOLOCATION": return try geolocation(fields)
    case "APPLICATION_VERSION":
      return .applicationVersion(Self.append(try versionTest(fields), to: &tables.versionTests))
    case "SDK_LANGUAGE": return try sdkLanguage(fields)
    case "VISITOR_CODE":
      return .visitorCode(try textTest(fields, operator: .matchType, value: .visitorCode))
    case "CONVERSIONS": return try conversions(fields)
    case "TARGET_FEATURE_FLAG": return try featureFlag(fields)
    case "TARGET_EXPERIMENT": return try experiment(fields)
    case "TARGET_PERSONALIZATION":
      var test = CampaignTest(scope: scope(fields, isCurrentVisitByDefault: true))
      test.id = try integer(fields, .personalizationId)
      return .personalization(Self.append(test, to: &tables.campaignTests))
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
      _ = try textTest(fields, operator: .valueMatchType, value: .value)
      return .cookie(name)
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
    default:
      let integer = Int(exactly: try integer(fields, .customDataIndex))
      guard let integer, integer >= 0 else { throw .field(.customDataIndex) }
      index = integer
    }
    let (comparison, operand, number) = try customDatumOperator(fields)
    let test = CustomDatumTest(
      index: index, comparison: comparison, operand: operand, number: number)
    return .customDatum(Self.append(test, to: &tables.customDatumTests))
  }

  private mutating func customDatumOperator(
    _ fields: ConditionFields
  ) throws(Unusable) -> (CustomDatumTest.Operator, operand: Int32, NumberTest) {
    let noNumber = NumberTest(comparison: .equal, value: .nan)
    switch fields.text(.valueMatchType) {
    case "EXACT", "CONTAINS", "REGULAR_EXPRESSION":
      let test = try textOperator(fields, operator: .valueMatchType, value: .value)
      return (.text(test.comparison), test.operand, noNumber)
    case "TRUE": return (.text(.exact), text("true"), noNumber)
    case "FALSE": return (.text(.exact), text("false"), noNumber)
    case "EQUAL":
      let number = NumberTest(comparison: .nearlyEqual, value: try lenientNumber(fields))
      return (.number, 0, number)
    case "GREATER":
      return (.number, 0, NumberTest(comparison: .greater, value: try lenientNumber(fields)))
    case "LOWER":
      return (.number, 0, NumberTest(comparison: .lower, value: try lenientNumber(fields)))
    case "AMONG_VALUES":
      guard let text = fields.text(.value), let elements = AmongValues.elements(of: text) else {
        throw Unusable("\"value\" is not a JSON list in a string")
      }
      return (.among, Self.append(ValueList(elements), to: &tables.lists), noNumber)
    case "UNDEFINED": return (.isUndefined, 0, noNumber)
    default: throw .field(.valueMatchType)
    }
  }

  private mutating func geolocation(_ fields: ConditionFields) throws(Unusable) -> Condition {
    guard let country = try filledText(fields, .country) else { throw .field(.country) }
    let region = try filledText(fields, .region)
    let city = try filledText(fields, .city)
    let test = PlaceTest(
      country: text(country.lowercased()), region: region.map { text($0.lowercased()) },
      city: city.map { text($0.lowercased()) })
    return .geolocation(Self.append(test, to: &tables.placeTests))
  }

  private func sdkLanguage(_ fields: ConditionFields) throws(Unusable) -> Condition {
    guard let name = fields.text(.sdkLanguage) else { throw .field(.sdkLanguage) }
    var isOurs = MatchText(name) == MatchText(references.sdk.name)
    if try filledText(fields, .version) != nil {
      let test = try versionTest(fields)
      let ours = AppVersion(references.sdk.version)
      isOurs = isOurs && ours.map(test.accepts) == true
    }
    return .sdkLanguage(isOurs: isOurs)
  }

  private mutating func conversions(_ fields: ConditionFields) throws(Unusable) -> Condition {
    var test = CampaignTest(scope: scope(fields, isCurrentVisitByDefault: false))
    if !fields.isAbsent(.goalId) { test.id = try integer(fields, .goalId) }
    return .conversions(Self.append(test, to: &tables.campaignTests))
  }

  private mutating func featureFlag(_ fields: ConditionFields) throws(Unusable) -> Condition {
    let id = try integer(fields, .featureFlagId)
    guard let flag = references.flags.last(where: { $0.id == id }) else {
      throw Unusable("no flag has the id \(id)")
    }
    // 0 means any rule, like absence (section 4.3).
    let ruleID = fields.isAbsent(.ruleId) ? 0 : try integer(fields, .ruleId)
    var test = CampaignTest(scope: scope(fields, isCurrentVisitByDefault: true))
    if !fields.isAbsent(.variationKey) {
      guard let key = fields.text(.variationKey) else { throw .field(.variationKey) }
      test.variationKey = text(key)
      needsVariationKeys = true
    }
    let first = Int32(tables.experimentIDs.count)
    let rules = flag.rules.filter { ruleID == 0 || $0.id == ruleID }
    tables.experimentIDs += rules.map(\.experimentID)
    test.experiments = first..<Int32(tables.experimentIDs.count)
    return .featureFlag(Self.append(test, to: &tables.campaignTests))
  }

  private mutating func experiment(_ fields: ConditionFields) throws(Unusable) -> Condition {
    var test = CampaignTest(scope: scope(fields, isCurrentVisitByDefault: true))
    test.id = try integer(fields, .experimentId)
    switch fields.text(.variationMatchType) {
    case "ANY": break
    case "EXACT": test.variationID = try integer(fields, .variationId)
    default: throw .field(.variationMatchType)
    }
    return .experiment(Self.append(test, to: &tables.campaignTests))
  }

  private mutating func exclusiveExperiment(
    _ fields: ConditionFields
  ) throws(Unusable) -> Condition {
    var test = CampaignTest(scope: scope(fields, isCurrentVisitByDefault: false))
    switch fields.text(.campaignType) {
    case "EXPERIMENT": test.kind = .experiment
    case "PERSONALIZATION": test.kind = .personalization
    case "ANY": test.kind = .any
    default: throw .field(.campaignType)
    }
    return .exclusiveExperiment(Self.append(test, to: &tables.campaignTests))
  }

  private func segment(_ fields: ConditionFields) throws(Unusable) -> Condition {
    let id = try integer(fields, .segmentId)
    guard let position = references.segmentPositions[id] else {
      throw Unusable("no segment has the id \(id)")
    }
    return .segment(Int32(position))
  }

  private func newVisitors(_ fields: ConditionFields) throws(Unusable) -> Condition {
    switch fields.text(.visitorType)?.uppercased() {
    case "NEW": return .newVisitors(isNew: true)
    case "RETURNING": return .newVisitors(isNew: false)
    default: throw .field(.visitorType)
    }
  }

  private mutating func heatSlice(_ fields: ConditionFields) throws(Unusable) -> Condition {
    guard let lower = fields.number(.lowerBound) else { throw .field(.lowerBound) }
    guard let upper = fields.number(.upperBound) else { throw .field(.upperBound) }
    let slice = HeatSlice(
      keyMomentID: try integer(fields, .keyMomentId), goalID: try integer(fields, .goalId),
      lower: lower, upper: upper)
    return .heatSlice(Self.append(slice, to: &tables.heatSlices))
  }

  private mutating func browser(_ fields: ConditionFields) throws(Unusable) -> Condition {
    let type = try literal(BrowserType.self, fields.text(.browser), .browser)
    var version: NumberTest?
    if !fields.isAbsent(.version), fields.text(.version) != "" {
      let test = try versionTest(fields)
      let comparison: NumberTest.Operator =
        switch test.comparison {
        case .equal: .equal
        case .greater: .greater
        case .lower: .lower
        }
      version = NumberTest(comparison: comparison, value: test.version.majorMinor)
    }
    return .browser(
      Self.append(BrowserTest(type: type, version: version), to: &tables.browserTests))
  }

  // MARK: - Pieces

  /// Stores a text test and returns its position.
  private mutating func textTest(
    _ fields: ConditionFields, operator matchType: ConditionFields.Name,
    value: ConditionFields.Name
  ) throws(Unusable) -> Int32 {
    Self.append(
      try textOperator(fields, operator: matchType, value: value), to: &tables.textTests)
  }

  private mutating func textOperator(
    _ fields: ConditionFields, operator matchType: ConditionFields.Name,
    value: ConditionFields.Name
  ) throws(Unusable) -> TextTest {
    guard let wanted = fields.text(value) else { throw .field(value) }
    switch fields.text(matchType) {
    case "EXACT": return TextTest(comparison: .exact, operand: text(wanted))
    case "CONTAINS": return TextTest(comparison: .contains, operand: text(wanted))
    case "REGULAR_EXPRESSION":
      return TextTest(comparison: .pattern, operand: try pattern(wanted))
    default: throw .field(matchType)
    }
  }

  /// Stores a number test and returns its position.
  private mutating func numberTest(
    _ fields: ConditionFields, _ name: ConditionFields.Name
  ) throws(Unusable) -> Int32 {
    guard let value = fields.number(name) else { throw .field(name) }
    let comparison: NumberTest.Operator
    switch fields.text(.matchType) {
    case "EQUAL": comparison = .equal
    case "GREATER": comparison = .greater
    case "LOWER": comparison = .lower
    default: throw .field(.matchType)
    }
    return Self.append(
      NumberTest(comparison: comparison, value: value), to: &tables.numberTests)
  }

  private func versionTest(_ fields: ConditionFields) throws(Unusable) -> VersionTest {
    guard let version = fields.text(.version).flatMap(AppVersion.init) else {
      throw .field(.version)
    }
    switch fields.text(.versionMatchType)?.uppercased() {
    case "EQUAL": return VersionTest(comparison: .equal, version: version)
    case "GREATER": return VersionTest(comparison: .greater, version: version)
    case "LOWER": return VersionTest(comparison: .lower, version: version)
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
    return VisitScope(isCurrentVisitOnly: isCurrentVisitOnly, visitCount: visitCount)
  }

  /// The text of an optional field, nil if absent or empty; any other kind is no absence.
  private func filledText(
    _ fields: ConditionFields, _ name: ConditionFields.Name
  ) throws(Unusable) -> String? {
    if fields.isAbsent(name) { return nil }
    guard let text = fields.text(name) else { throw .field(name) }
    return text.isEmpty ? nil : text
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

  private mutating func text(_ string: String) -> Int32 {
    let text = MatchText(string)
    if let position = textPositions[text] { return position }
    let position = Self.append(text, to: &tables.texts)
    textPositions[text] = position
    return position
  }

  private static func append<Element>(_ element: Element, to table: inout [Element]) -> Int32 {
    table.append(element)
    return Int32(table.count - 1)
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
      return .success(Self.append(try Pattern(string), to: &tables.patterns))
    } catch {
      return .failure(error)
    }
  }

  private static func plainIndex(_ text: String) -> Int? {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isPlain ? Int(text) : nil
  }
}
