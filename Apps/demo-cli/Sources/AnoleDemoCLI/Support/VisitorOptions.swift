// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// The options that describe a visitor and the time.
enum VisitorOptions {
  static let visitor = Option(
    "visitor", value: "CODE", help: "whom to decide for (required)",
    isSetting: true)
  static let custom = Option(
    "custom", value: "INDEX=VALUE", help: "custom data; repeat it for more indexes or values")
  static let customName = Option(
    "custom-name", value: "NAME=VALUE", help: "custom data by the name the data file declares")
  static let device = Option("device", value: "DEVICE", help: "phone, tablet or desktop")
  static let system = Option(
    "os", value: "SYSTEM", help: "windows, mac, ios, linux, android or windows_phone")
  static let country = Option("country", value: "NAME", help: "where the visitor is")
  static let region = Option("region", value: "NAME", help: "the region; needs --country")
  static let city = Option("city", value: "NAME", help: "the city; needs --country")
  static let appVersion = Option("app-version", value: "VERSION", help: "such as 2.10.1")
  static let consent = Option(
    "consent", value: "STATE", help: "given or refused; default: not asked")
  static let force = Option(
    "force", value: "EXPERIMENT=VARIATION",
    help: "force a variation by its key, past the targeting of its rule")
  static let now = Option(
    "now", value: "MILLISECONDS", help: "the time since 1970; default: the system clock")
  static let utcOffset = Option(
    "utc-offset", value: "SECONDS", help: "the visitor's time zone, east positive; default: 0",
    isSetting: true)

  /// All but ``visitor``.
  static let data = [
    custom, customName, device, system, country, region, city, appVersion, consent, force, now,
    utcOffset,
  ]

  /// The year 9999 ends here.
  static let latest: Int64 = 253_402_300_799_999
  private static let day: Int64 = 86_400

  /// When the decision happens.
  static func moment(
    _ arguments: Arguments, in environment: Environment
  ) throws(Failure) -> Moment {
    let time = try arguments.integer(now, in: 0...latest)
    let offset = try arguments.integer(utcOffset, in: -day...day) ?? 0
    return Moment(
      now: time.map(Timestamp.init(milliseconds:)) ?? environment.now(),
      utcOffsetSeconds: Int(offset))
  }

  /// The items of visitor data, custom data first.
  static func items(
    _ arguments: Arguments, _ source: DataSource
  ) throws(Failure) -> [VisitorDatum] {
    var items = try customData(arguments, source)
    if let device: Device = try literal(arguments, device) { items.append(.device(device)) }
    if let system: OperatingSystem = try literal(arguments, system) {
      items.append(.operatingSystem(system))
    }
    if let place = try place(arguments) { items.append(.geolocation(place)) }
    if let version = arguments.value(appVersion) {
      guard AppVersion(version) != nil else {
        throw Failure(
          "\(appVersion.text) wants a version such as 2.10.1, not \(Printable.quote(version))")
      }
      items.append(.applicationVersion(version))
    }
    return items
  }

  /// Consent; nil if nothing was said.
  static func isConsentGiven(_ arguments: Arguments) throws(Failure) -> Bool? {
    switch arguments.value(consent) {
    case nil: return nil
    case "given": return true
    case "refused": return false
    case let text?:
      throw Failure("\(consent.text) is given or refused, not \(Printable.quote(text))")
    }
  }

  // MARK: - Single options

  private static func customData(
    _ arguments: Arguments, _ source: DataSource
  ) throws(Failure) -> [VisitorDatum] {
    var values: [(index: Int, values: [String])] = []
    func add(_ value: String, to index: Int) {
      if let position = values.firstIndex(where: { $0.index == index }) {
        values[position].values.append(value)
      } else {
        values.append((index, [value]))
      }
    }
    for text in arguments.values(custom) {
      let (name, value) = try pair(text, custom)
      guard let index = Int(name), index >= 0 else {
        throw Failure(
          "\(custom.text) wants an index from 0, not \(Printable.quote(name)); "
            + "\(customName.text) takes names")
      }
      add(value, to: index)
    }
    for text in arguments.values(customName) {
      let (name, value) = try pair(text, customName)
      guard let index = source.snapshot.customData.index(named: name) else {
        let names = source.snapshot.dataFile.customData.compactMap(\.name)
        throw Failure(
          "\(source.name) declares no custom data named \(Printable.quote(name)); "
            + DataSource.hint(name, names))
      }
      add(value, to: index)
    }
    return values.map { .customData(index: $0.index, values: $0.values) }
  }

  private static func place(_ arguments: Arguments) throws(Failure) -> Geolocation? {
    guard let name = arguments.value(country) else {
      guard !arguments.has(region), !arguments.has(city) else {
        throw Failure("\(region.text) and \(city.text) need \(country.text) as well")
      }
      return nil
    }
    return Geolocation(
      country: name, region: arguments.value(region), city: arguments.value(city))
  }

  private static func literal<Literal: RawRepresentable<String> & CaseIterable>(
    _ arguments: Arguments, _ option: Option
  ) throws(Failure) -> Literal? {
    guard let text = arguments.value(option) else { return nil }
    if let literal = Literal(rawValue: text.uppercased()) { return literal }
    let known = Literal.allCases.map { $0.rawValue.lowercased() }
    throw Failure(
      "\(option.text) is \(Wording.list(known, "or")), not \(Printable.quote(text))")
  }

  /// The two sides of the first equals sign.
  static func pair(
    _ text: String, _ option: Option
  ) throws(Failure) -> (name: String, value: String) {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
      throw Failure("\(option.text) wants \(option.value ?? ""), not \(Printable.quote(text))")
    }
    return (String(text[..<sign]), String(text[text.index(after: sign)...]))
  }
}
