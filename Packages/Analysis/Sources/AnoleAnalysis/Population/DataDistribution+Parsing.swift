// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension DataDistribution {
  /// Reads a distribution from text: `device=phone:0.6,desktop:0.4`, `custom:plan=gold:0.1,free:0.9`.
  ///
  /// | name | values |
  /// | --- | --- |
  /// | `device` | `phone`, `tablet`, `desktop` |
  /// | `os` | `windows`, `mac`, `ios`, `linux`, `android`, `windows_phone` |
  /// | `browser` | `chrome`, `ie`, `firefox`, `safari`, `opera`, `other` |
  /// | `country` | any name |
  /// | `app-version` | a version such as `2.10.1` |
  /// | `consent` | `given`, `refused` |
  /// | `custom:INDEX`, `custom:NAME` | any value of the custom datum with the index, or the name that the data file declares |
  ///
  /// The weight follows the last colon of a value; `\` before a comma, an equals sign or a backslash
  /// takes it literally.
  ///
  /// - Throws: ``AnalysisError/invalidDistribution(_:)`` with a sentence that names what is wrong.
  public init(parsing text: String) throws(AnalysisError) {
    let sides = Self.split(text, at: "=", maximum: 1)
    guard sides.count == 2, !sides[0].isEmpty else {
      throw .invalidDistribution(
        "\(text.quoted) is no distribution; write one such as device=phone:0.6,desktop:0.4")
    }
    let name = Self.unescaped(sides[0])
    let shares = try Self.split(sides[1], at: ",").map { (item) throws(AnalysisError) in
      try Self.share(item, of: name)
    }
    try self.init(name: name, shares: shares)
  }

  private static func share(_ item: String, of name: String) throws(AnalysisError) -> Share {
    guard let colon = item.lastIndex(of: ":"), colon > item.startIndex else {
      throw .invalidDistribution(
        "\(item.quoted) in \(name.quoted) has no weight; write VALUE:WEIGHT such as phone:0.6")
    }
    let value = unescaped(String(item[..<colon]))
    guard let weight = Double(item[item.index(after: colon)...]), weight.isFinite else {
      throw .invalidDistribution(
        "the weight in \(item.quoted) of \(name.quoted) is no number; write one within 0…1")
    }
    return Share(weight: weight, traits: [try trait(name, value)], label: value)
  }

  private static func trait(_ name: String, _ value: String) throws(AnalysisError) -> VisitorTrait {
    switch name {
    case "device": return .datum(.device(try literal(name, value)))
    case "os": return .datum(.operatingSystem(try literal(name, value)))
    case "browser": return .datum(.browser(Browser(type: try literal(name, value))))
    case "country": return .datum(.geolocation(Geolocation(country: value)))
    case "app-version":
      guard AppVersion(value) != nil else {
        throw .invalidDistribution("\(value.quoted) is no version; write one such as 2.10.1")
      }
      return .datum(.applicationVersion(value))
    case "consent":
      guard value == "given" || value == "refused" else {
        throw .invalidDistribution("consent is given or refused, not \(value.quoted)")
      }
      return .consent(isGiven: value == "given")
    default:
      let prefix = "custom:"
      guard name.hasPrefix(prefix), name.utf8.count > prefix.utf8.count else {
        throw .invalidDistribution(
          "nothing is called \(name.quoted); use device, os, browser, country, app-version, consent, "
            + "custom:INDEX or custom:NAME")
      }
      let key = String(name.dropFirst(prefix.count))
      if let index = Int(key), index >= 0 {
        return .datum(.customData(index: index, values: [value]))
      }
      return .datum(.namedCustomData(name: key, values: [value]))
    }
  }

  private static func literal<Literal: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ value: String
  ) throws(AnalysisError) -> Literal {
    if let literal = Literal(rawValue: value.uppercased()) { return literal }
    let known = Literal.allCases.map { $0.rawValue.lowercased() }.joined(separator: ", ")
    throw .invalidDistribution("\(name) is one of \(known), not \(value.quoted)")
  }

  /// Splits at separators that no backslash precedes; backslashes stay.
  private static func split(
    _ text: String, at separator: Character, maximum: Int = .max
  ) -> [String] {
    var parts = [""]
    var isEscaped = false
    for character in text {
      if character == separator, !isEscaped, parts.count <= maximum {
        parts.append("")
        continue
      }
      parts[parts.count - 1].append(character)
      isEscaped = character == "\\" && !isEscaped
    }
    return parts
  }

  private static func unescaped(_ text: String) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if character == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      result.append(character)
      isEscaped = false
    }
    return result
  }
}
