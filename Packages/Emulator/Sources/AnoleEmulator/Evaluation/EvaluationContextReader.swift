// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// Reads the members of an evaluation context, all but the targeting key.
struct EvaluationContextReader {
  /// The end of the year 9999, in milliseconds.
  private static let latest: Int64 = 253_402_300_799_999
  private static let secondsPerDay: Int64 = 86_400

  private let snapshot: Snapshot
  private var customData: [(index: Int, values: [String])] = []
  private var data: [VisitorDatum] = []
  private var browser: BrowserType?
  private var browserVersion: Double?
  private var place: [String: String] = [:]
  private var page: [String: String] = [:]
  private var now: Timestamp
  private var utcOffset = 0
  private(set) var consent = LegalConsent.unknown
  private(set) var forced: [ForcedVariation] = []
  private(set) var remarks: [Diagnostic] = []

  init(_ snapshot: Snapshot, now: Timestamp) {
    self.snapshot = snapshot
    self.now = now
  }

  var moment: Moment { Moment(now: now, utcOffsetSeconds: utcOffset) }

  mutating func read(_ member: JSONValue.Member) throws(EvaluationContextError) {
    let (name, value) = (member.key, member.value)
    if value.isNull { return }
    let isCustomData = try addCustomData(name, value)
    do throws(EvaluationContextError) {
      guard try !readReserved(name, value), !isCustomData else { return }
    } catch {
      // The name is the project's own: then the value need not be what the platform's would be.
      if isCustomData { return }
      throw error
    }
    remarks.append(
      Diagnostic(
        path: "context.\(name)",
        message: "is neither a name this server knows nor declared custom data; ignored"))
  }

  /// The data, custom data first.
  func items() throws(EvaluationContextError) -> [VisitorDatum] {
    var items: [VisitorDatum] = customData.map { .customData(index: $0.index, values: $0.values) }
    items += data
    if let browser {
      items.append(.browser(Browser(type: browser, version: browserVersion)))
    } else if browserVersion != nil {
      throw Self.invalid("browserVersion", "needs context.browser as well")
    }
    if let country = place["country"] {
      items.append(
        .geolocation(
          Geolocation(country: country, region: place["region"], city: place["city"])))
    } else if let part = ["city", "region"].first(where: { place[$0] != nil }) {
      throw Self.invalid(part, "needs context.country as well")
    }
    if let url = page["pageUrl"] {
      items.append(.pageView(url: url, title: page["pageTitle"]))
    } else if page["pageTitle"] != nil {
      throw Self.invalid("pageTitle", "needs context.pageUrl as well")
    }
    return items
  }

  // MARK: - Custom data

  /// Takes a value for custom data; false if the name is not declared and no index.
  private mutating func addCustomData(
    _ name: String, _ value: JSONValue, path: String? = nil
  ) throws(EvaluationContextError) -> Bool {
    guard let index = index(name) else { return false }
    let values = try Self.texts(value, path ?? name)
    if let position = customData.firstIndex(where: { $0.index == index }) {
      customData[position].values = values
    } else {
      customData.append((index, values))
    }
    return true
  }

  private func index(_ name: String) -> Int? {
    if let index = snapshot.customData.index(named: name) { return index }
    guard !name.isEmpty, name.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(name)
  }

  private mutating func readCustomData(_ value: JSONValue) throws(EvaluationContextError) {
    guard let members = value.objectValue else {
      throw Self.invalid("customData", "must be an object of names or indexes and their values")
    }
    for member in members where !member.value.isNull {
      let path = "customData.\(member.key)"
      guard try !addCustomData(member.key, member.value, path: path) else { continue }
      remarks.append(
        Diagnostic(path: "context.\(path)", message: "is not declared custom data; ignored"))
    }
  }

  // MARK: - Reserved names

  /// Takes the value of a reserved name; false if the name is none.
  private mutating func readReserved(
    _ name: String, _ value: JSONValue
  ) throws(EvaluationContextError) -> Bool {
    switch name {
    case "customData": try readCustomData(value)
    case "device": data.append(.device(try Self.literal(value, name)))
    case "os", "operatingSystem": data.append(.operatingSystem(try Self.literal(value, name)))
    case "browser": browser = try Self.literal(value, name)
    case "browserVersion":
      let version = value.doubleValue ?? value.stringValue.flatMap(LenientNumber.parse)
      guard let version else { throw Self.invalid(name, "must be a number such as 120.1") }
      browserVersion = version
    case "country", "region", "city": place[name] = try Self.text(value, name)
    case "pageUrl", "pageTitle": page[name] = try Self.text(value, name)
    case "appVersion":
      let version = try Self.text(value, name)
      guard AppVersion(version) != nil else {
        throw Self.invalid(name, "must be a version such as 2.10.1")
      }
      data.append(.applicationVersion(version))
    case "previousVisits": data.append(.visits(try Self.visits(value, name)))
    case "cookies": data.append(.cookies(try Self.pairs(value, name).map(Cookie.init)))
    case "consent": consent = try Self.consent(value)
    case "forcedVariations":
      for (experiment, key) in try Self.pairs(value, name) { try force(experiment, key) }
    case "now":
      now = Timestamp(milliseconds: try Self.integer(value, name, in: 0...Self.latest))
    case "utcOffset":
      let range = -Self.secondsPerDay...Self.secondsPerDay
      utcOffset = Int(try Self.integer(value, name, in: range))
    default: return false
    }
    return true
  }

  private mutating func force(
    _ experiment: String, _ key: String
  ) throws(EvaluationContextError) {
    let path = "forcedVariations.\(experiment)"
    guard let id = Int64(experiment) else {
      throw Self.invalid(path, "must be the id of an experiment")
    }
    do throws(EvaluationError) {
      forced.append(try snapshot.forcedVariation(experimentID: id, variationKey: key))
    } catch {
      throw Self.invalid(path, "cannot be forced: \(error)")
    }
  }

  // MARK: - Values

  private static func invalid(_ path: String, _ message: String) -> EvaluationContextError {
    EvaluationContextError(.invalidContext, "context.\(path) \(message)")
  }

  private static func text(
    _ value: JSONValue, _ path: String
  ) throws(EvaluationContextError) -> String {
    guard let text = value.stringValue else { throw invalid(path, "must be a string") }
    return text
  }

  /// One scalar, or a list of them, as texts.
  private static func texts(
    _ value: JSONValue, _ path: String
  ) throws(EvaluationContextError) -> [String] {
    var texts: [String] = []
    for element in value.arrayValue ?? [value] where !element.isNull {
      switch element {
      case .string(let text): texts.append(text)
      case .bool(let flag): texts.append(flag ? "true" : "false")
      case .number(let number): texts.append(number.asInteger.map(String.init) ?? "\(number)")
      case .null, .array, .object:
        throw invalid(path, "must be a string, a number, a Boolean or a list of them")
      }
    }
    return texts
  }

  private static func integer(
    _ value: JSONValue, _ path: String, in range: ClosedRange<Int64>
  ) throws(EvaluationContextError) -> Int64 {
    guard let integer = value.integerValue, range.contains(integer) else {
      throw invalid(
        path, "must be an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  /// Visits by when they began, the latest first.
  private static func visits(
    _ value: JSONValue, _ path: String
  ) throws(EvaluationContextError) -> [Visit] {
    guard let elements = value.arrayValue else { throw invalid(path, "must be a list of times") }
    var starts: [Timestamp] = []
    for (position, element) in elements.enumerated() {
      let time = try integer(element, "\(path)[\(position)]", in: 0...latest)
      starts.append(Timestamp(milliseconds: time))
    }
    return starts.sorted(by: >).map { Visit(start: $0, lastActivity: $0) }
  }

  private static func literal<Literal: RawRepresentable<String> & CaseIterable>(
    _ value: JSONValue, _ path: String
  ) throws(EvaluationContextError) -> Literal {
    if let literal = value.stringValue.flatMap({ Literal(rawValue: $0.uppercased()) }) {
      return literal
    }
    let known = Literal.allCases.map { $0.rawValue.lowercased() }.joined(separator: ", ")
    throw invalid(path, "must be one of: \(known)")
  }

  private static func pairs(
    _ value: JSONValue, _ path: String
  ) throws(EvaluationContextError) -> [(name: String, value: String)] {
    guard let members = value.objectValue else { throw invalid(path, "must be an object") }
    var pairs: [(name: String, value: String)] = []
    for member in members {
      pairs.append((member.key, try text(member.value, "\(path).\(member.key)")))
    }
    return pairs
  }

  private static func consent(
    _ value: JSONValue
  ) throws(EvaluationContextError) -> LegalConsent {
    switch value {
    case true, "given": return .given
    case false, "refused": return .refused
    default: throw invalid("consent", "must be true, false, given or refused")
    }
  }
}
