// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Which remote flags a device and user get: what the panel of the platform holds for one application.
struct RemoteFlagRules: Sendable, Hashable {
  /// Whom an answer is for.
  struct Subject: Sendable, Hashable {
    let device: String
    let user: String
  }

  private struct Rule: Sendable, Hashable {
    let id: String
    let isEnabled: Bool
    /// User ids the rule is for; with ``devices`` empty as well it is for everybody.
    let users: [String]
    let devices: [String]
    let properties: [JSONValue.Member]

    func admits(_ subject: Subject) -> Bool {
      if users.isEmpty && devices.isEmpty { return true }
      return users.contains { $0.hasSameBytes(as: subject.user) }
        || devices.contains { $0.hasSameBytes(as: subject.device) }
    }
  }

  private struct Flag: Sendable, Hashable {
    let key: String
    let isEnabled: Bool
    let isKilled: Bool
    let isArchived: Bool
    let properties: [JSONValue.Member]
    let rules: [Rule]
  }

  private let flags: [Flag]
  /// Whether the plan contains feature flags; without it the answer has none.
  private let hasPlan: Bool
  /// Whether answers say that segments could not be matched in time.
  private let isPartial: Bool
  /// What was read.
  let source: JSONValue

  /// The `response` of a flag request.
  func response(for subject: Subject) -> JSONValue {
    let answered = hasPlan ? flags.filter { !$0.isArchived } : []
    return [
      "flags": .array(answered.map { Self.json($0, for: subject) }), "partial": .bool(isPartial),
    ]
  }

  private static func json(_ flag: Flag, for subject: Subject) -> JSONValue {
    let rule = flag.isKilled ? nil : flag.rules.first { $0.admits(subject) }
    var properties = flag.properties
    for member in rule?.properties ?? [] {
      properties.removeAll { $0.key.hasSameBytes(as: member.key) }
      properties.append(member)
    }
    return [
      "key": .string(flag.key),
      "enabled": .bool(!flag.isKilled && (rule?.isEnabled ?? flag.isEnabled)),
      "rule_id": .string(flag.isKilled ? "" : rule?.id ?? "default"),
      "properties": .object(properties),
    ]
  }
}

// MARK: - Reading

/// Why rules for remote flags cannot be used, and where.
public struct RemoteFlagRulesError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The place and the problem.
  public let message: String

  /// The place and the problem.
  public var description: String { "remote flags: \(message)" }
}

extension RemoteFlagRules {
  /// Reads rules.
  ///
  /// - Throws: ``RemoteFlagRulesError`` that names the place; unknown names are refused, since they
  ///   are most often spelling mistakes.
  init(parsing bytes: [UInt8]) throws(RemoteFlagRulesError) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: bytes)
    } catch {
      throw RemoteFlagRulesError(message: "\(error)")
    }
    try self.init(json)
  }

  private init(_ json: JSONValue) throws(RemoteFlagRulesError) {
    source = json
    let root = try Place(json, "the document", allowing: ["plan", "partial", "flags"])
    hasPlan = try root.bool("plan") ?? true
    isPartial = try root.bool("partial") ?? false
    var flags: [Flag] = []
    for (position, element) in try root.list("flags").enumerated() {
      flags.append(try Self.flag(element, "flags[\(position)]"))
    }
    self.flags = flags
  }

  /// The rules with another value of a Boolean member of a flag.
  func setting(
    _ member: String, to value: Bool, ofFlag key: String
  ) throws(FlagEditError) -> RemoteFlagRules {
    var isFound = false
    let changed = source.replacing("flags") { flags in
      .array(
        (flags.arrayValue ?? []).map { flag in
          guard flag["key"]?.stringValue?.hasSameBytes(as: key) == true else { return flag }
          isFound = true
          return flag.replacing(member) { _ in .bool(value) }
        })
    }
    guard isFound else {
      throw FlagEditError(
        .notFound, "there is no remote flag \(key.debugDescription): see the list of remote flags")
    }
    do throws(RemoteFlagRulesError) {
      return try RemoteFlagRules(changed)
    } catch {
      throw FlagEditError(.unreadable, "\(error)")
    }
  }

  private static func flag(
    _ json: JSONValue, _ path: String
  ) throws(RemoteFlagRulesError) -> Flag {
    let names = ["key", "enabled", "killed", "archived", "properties", "rules"]
    let place = try Place(json, path, allowing: names)
    var rules: [Rule] = []
    for (position, element) in try place.list("rules").enumerated() {
      rules.append(try rule(element, "\(path).rules[\(position)]"))
    }
    return Flag(
      key: try place.text("key"), isEnabled: try place.bool("enabled") ?? false,
      isKilled: try place.bool("killed") ?? false,
      isArchived: try place.bool("archived") ?? false, properties: try place.members("properties"),
      rules: rules)
  }

  private static func rule(
    _ json: JSONValue, _ path: String
  ) throws(RemoteFlagRulesError) -> Rule {
    let names = ["id", "enabled", "users", "devices", "properties"]
    let place = try Place(json, path, allowing: names)
    return Rule(
      id: try place.text("id"), isEnabled: try place.bool("enabled") ?? true,
      users: try place.texts("users"), devices: try place.texts("devices"),
      properties: try place.members("properties"))
  }

  /// An object and where it stands.
  private struct Place {
    private let json: JSONValue
    private let path: String

    init(
      _ json: JSONValue, _ path: String, allowing names: [String]
    ) throws(RemoteFlagRulesError) {
      guard let members = json.objectValue else {
        throw RemoteFlagRulesError(message: "\(path) is not an object")
      }
      if let stranger = members.first(where: { !names.contains($0.key) }) {
        throw RemoteFlagRulesError(
          message: "\(path) has no member \(stranger.key.debugDescription); there are: "
            + names.joined(separator: ", "))
      }
      self.json = json
      self.path = path
    }

    func bool(_ name: String) throws(RemoteFlagRulesError) -> Bool? {
      guard let value = json[name] else { return nil }
      return try value.boolValue.orThrow("\(path).\(name) is not true or false")
    }

    func text(_ name: String) throws(RemoteFlagRulesError) -> String {
      let text = try (json[name]?.stringValue).orThrow("\(path).\(name) is missing or no string")
      guard !text.isEmpty else {
        throw RemoteFlagRulesError(message: "\(path).\(name) is empty")
      }
      return text
    }

    func list(_ name: String) throws(RemoteFlagRulesError) -> [JSONValue] {
      guard let value = json[name] else { return [] }
      return try value.arrayValue.orThrow("\(path).\(name) is not a list")
    }

    func texts(_ name: String) throws(RemoteFlagRulesError) -> [String] {
      let values = try list(name)
      let texts = values.compactMap(\.stringValue)
      guard texts.count == values.count else {
        throw RemoteFlagRulesError(message: "\(path).\(name) is not a list of strings")
      }
      return texts
    }

    func members(_ name: String) throws(RemoteFlagRulesError) -> [JSONValue.Member] {
      guard let value = json[name] else { return [] }
      return try value.objectValue.orThrow("\(path).\(name) is not an object")
    }
  }
}

extension Optional {
  fileprivate func orThrow(_ message: String) throws(RemoteFlagRulesError) -> Wrapped {
    guard let self else { throw RemoteFlagRulesError(message: message) }
    return self
  }
}

extension JSONValue {
  /// The object with another value of a member, which is added at the end if it is missing.
  fileprivate func replacing(_ key: String, _ value: (JSONValue) -> JSONValue) -> JSONValue {
    var members = objectValue ?? []
    let position = members.lastIndex { $0.key.hasSameBytes(as: key) }
    let member = Member(key: key, value: value(position.map { members[$0].value } ?? .null))
    if let position { members[position] = member } else { members.append(member) }
    return .object(members)
  }
}
