// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Looks up settings that were not made by a call.
struct PushwooshSettings: Sendable {
  /// The environment variable that names a property list or JSON file with settings.
  static let fileVariable = "Pushwoosh_SETTINGS_FILE"

  enum Name: String {
    case applicationCode = "Pushwoosh_APPID"
    case apiToken = "Pushwoosh_API_TOKEN"
    case baseURL = "Pushwoosh_BASEURL"
    case allowsReverseProxy = "Pushwoosh_ALLOW_REVERSE_PROXY"
    case allowsServerCommunication = "Pushwoosh_ALLOW_SERVER_COMMUNICATION"
    case appGroup = "PW_APP_GROUPS_NAME"
    case logLevel = "Pushwoosh_LOG_LEVEL"
    case disablesThrottle = "Pushwoosh_FEATURE_FLAGS_DISABLE_THROTTLE"
  }

  private let environment: @Sendable (String) -> String?
  /// What the file says, as text.
  private let file: [String: String]
  /// Why the file that was named is not used.
  let problem: String?

  init(_ environment: @escaping @Sendable (String) -> String?) {
    self.environment = environment
    guard let path = environment(Self.fileVariable), !path.isEmpty else {
      file = [:]
      problem = nil
      return
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      file = [:]
      problem = "the file that \(Self.fileVariable) names cannot be read"
      return
    }
    let values = Self.json(data) ?? Self.propertyList(data)
    file = values ?? [:]
    problem =
      values == nil
      ? "the file that \(Self.fileVariable) names is neither a JSON object nor a property list"
      : nil
  }

  /// The text of a setting; nil where no place has one that is not empty.
  func text(_ name: Name) -> String? {
    let key = name.rawValue
    if let value = environment(key), !value.isEmpty { return value }
    if let value = file[key], !value.isEmpty { return value }
    #if canImport(Darwin)
      switch Bundle.main.object(forInfoDictionaryKey: key) {
      case let value as Bool: return "\(value)"
      case let value as String: return value
      case let value as Int: return "\(value)"
      default: return nil
      }
    #else
      return nil
    #endif
  }

  /// A Boolean setting: true is `true`, `YES`, `yes` or `1`; nil where no place has it.
  func flag(_ name: Name) -> Bool? {
    text(name).map { ["true", "YES", "yes", "1"].contains($0) }
  }

  private static func json(_ data: Data) -> [String: String]? {
    guard let members = (try? JSONValue(parsing: [UInt8](data)))?.objectValue else { return nil }
    var values: [String: String] = [:]
    for member in members {
      switch member.value {
      case .string(let value): values[member.key] = value
      case .bool(let value): values[member.key] = "\(value)"
      case .number(let value): values[member.key] = value.description
      case .null, .array, .object: values[member.key] = nil
      }
    }
    return values
  }

  /// Reads a property list in XML or the binary form.
  private static func propertyList(_ data: Data) -> [String: String]? {
    // Other text is not even tried: Foundation on Linux leaks the error that comes of it.
    let start = data.drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    guard
      ["<?xml", "<!DOCTYPE", "<plist", "bplist"].contains(where: { start.starts(with: $0.utf8) })
    else { return nil }
    // That the file is none is told by the caller.
    let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
    guard let list = list as? [String: Any] else { return nil }
    return list.compactMapValues { value in
      switch value {
      case let value as String: value
      // Before numbers: a Boolean of a list is one of these too.
      case let value as Bool: "\(value)"
      case let value as Int: "\(value)"
      default: nil
      }
    }
  }
}
