// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value of a property list with its own type: Booleans are not numbers.
enum PropertyValue: Decodable, Hashable {
  case bool(Bool)
  case integer(Int)
  case string(String)
  case other(String)

  init(from decoder: any Decoder) throws {
    // The type of the first decoding that works; a failure only means another type.
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if (try? container.decode(Double.self)) != nil {
      self = .other("a fraction")
    } else {
      self = .other("a list, dictionary, date or data")
    }
  }

  /// What the value is, for a log line; never the value itself, which may be a secret.
  var kind: String {
    switch self {
    case .bool: "a Boolean"
    case .integer: "an integer"
    case .string: "a string"
    case .other(let name): name
    }
  }
}

/// Takes the settings out of a property list.
struct ConfigurationReader {
  /// A key in its two spellings.
  struct Key: Hashable {
    let file: String
    let code: String

    init(_ file: String, _ code: String) {
      self.file = file
      self.code = code
    }
  }

  static let clientID = Key("client_id", "clientId")
  static let clientSecret = Key("client_secret", "clientSecret")
  static let refreshInterval = Key("refresh_interval_minute", "refreshIntervalMinute")
  static let dataExpiration = Key(
    "data_expiration_interval_minute", "dataExpirationIntervalMinute")
  static let timeout = Key("default_timeout_millisecond", "defaultTimeoutMillisecond")
  static let trackingInterval = Key("tracking_interval_millisecond", "trackingIntervalMillisecond")
  static let environment = Key("environment", "environment")
  static let isUniqueIdentifier = Key("is_unique_identifier", "isUniqueIdentifier")
  static let networkDomain = Key("network_domain", "networkDomain")
  static let defaultDataFile = Key("default_datafile", "defaultDataFile")
  static let activityInterval = Key(
    "activity_tracking_interval_millisecond", "activityTrackingIntervalMillisecond")

  private static let all = [
    clientID, clientSecret, refreshInterval, dataExpiration, timeout, trackingInterval, environment,
    isUniqueIdentifier, networkDomain, defaultDataFile, activityInterval,
  ]

  let path: String
  let values: [String: PropertyValue]

  /// The settings.
  ///
  /// - Parameter log: Takes what is odd.
  func config(log: ConfigurationFile.Log) -> KameleoonClientConfig {
    logUnknownKeys(log)
    return KameleoonClientConfig(
      clientId: string(Self.clientID, log), clientSecret: string(Self.clientSecret, log),
      refreshIntervalMinute: integer(Self.refreshInterval, log),
      dataExpirationIntervalMinute: integer(Self.dataExpiration, log),
      defaultTimeoutMillisecond: integer(Self.timeout, log),
      trackingIntervalMillisecond: integer(Self.trackingInterval, log),
      environment: string(Self.environment, log),
      isUniqueIdentifier: bool(Self.isUniqueIdentifier, log),
      networkDomain: string(Self.networkDomain, log),
      defaultDataFile: string(Self.defaultDataFile, log),
      activityTrackingIntervalMillisecond: integer(Self.activityInterval, log))
  }

  private func string(_ key: Key, _ log: ConfigurationFile.Log) -> String? {
    value(key, "a string", log) { if case .string(let value) = $0 { value } else { nil } }
  }

  private func integer(_ key: Key, _ log: ConfigurationFile.Log) -> Int? {
    value(key, "an integer", log) { if case .integer(let value) = $0 { value } else { nil } }
  }

  private func bool(_ key: Key, _ log: ConfigurationFile.Log) -> Bool? {
    value(key, "a Boolean", log) { if case .bool(let value) = $0 { value } else { nil } }
  }

  private func value<Value>(
    _ key: Key, _ expected: String, _ log: ConfigurationFile.Log,
    _ convert: (PropertyValue) -> Value?
  ) -> Value? {
    let spelling = values[key.file] == nil ? key.code : key.file
    guard let given = values[spelling] else { return nil }
    if let value = convert(given) { return value }
    log(
      .error,
      "settings: \(spelling) in \"\(path)\" is \(given.kind), must be \(expected); it is ignored")
    return nil
  }

  private func logUnknownKeys(_ log: ConfigurationFile.Log) {
    let known = Set(Self.all.flatMap { [$0.file, $0.code] })
    let unknown = values.keys.filter { !known.contains($0) }.sorted()
    guard !unknown.isEmpty else { return }
    let names = unknown.map { "\"\($0)\"" }.joined(separator: ", ")
    // Before version 4 the keys of intervals ended in a plural.
    let hasPlural = unknown.contains { $0.last == "s" && known.contains(String($0.dropLast())) }
    let hint = hasPlural ? "; the names of intervals end in the singular" : ""
    log(.warning, "settings: unknown in \"\(path)\" and ignored: \(names)\(hint)")
  }
}
