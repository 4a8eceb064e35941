// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// What a device tells when it registers for push (remote flags specification, section 2.2).
public struct DeviceRegistration: Sendable, Hashable {
  /// The server that delivers to the device.
  public enum Gateway: String, Sendable, Hashable {
    /// For builds under development.
    case sandbox
    /// For released applications.
    case production
  }

  /// The token that the push service gave to the device.
  public var pushToken: String
  /// What local time is ahead of UTC, in seconds.
  public var utcOffset: Int
  /// The language in two letters.
  public var language: String
  /// The version of the application; nil leaves it out.
  public var appVersion: String?
  /// The version of the system; nil leaves it out.
  public var systemVersion: String?
  /// The model of the device; nil leaves it out.
  public var deviceModel: String?
  /// The application's identifier; nil leaves it out.
  public var package: String?
  /// What the user allowed: the sum of 1 for badges, 2 for sounds, 4 for alerts.
  public var notificationTypes: Int
  /// The server that delivers.
  public var gateway: Gateway
  /// Names of sound files.
  public var sounds: [String]

  /// Makes a registration; see the members.
  public init(
    pushToken: String, utcOffset: Int = 0, language: String = "en", appVersion: String? = nil,
    systemVersion: String? = nil, deviceModel: String? = nil, package: String? = nil,
    notificationTypes: Int = 7, gateway: Gateway = .production, sounds: [String] = []
  ) {
    self.pushToken = pushToken
    self.utcOffset = utcOffset
    self.language = language
    self.appVersion = appVersion
    self.systemVersion = systemVersion
    self.deviceModel = deviceModel
    self.package = package
    self.notificationTypes = notificationTypes
    self.gateway = gateway
    self.sounds = sounds
  }

  var members: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    func add(_ key: String, _ value: JSONValue) {
      members.append(JSONValue.Member(key: key, value: value))
    }
    add("push_token", .string(pushToken))
    // Text, as the vendor's clients send it.
    add("timezone", .string("\(utcOffset)"))
    add("language", .string(language))
    if let appVersion { add("app_version", .string(appVersion)) }
    if let systemVersion { add("os_version", .string(systemVersion)) }
    if let deviceModel { add("device_model", .string(deviceModel)) }
    if let package { add("package", .string(package)) }
    add("notificationTypes", .number(.integer(Int64(notificationTypes))))
    add("gateway", .string(gateway.rawValue))
    add("sounds", .array(sounds.map { .string($0) }))
    return members
  }
}
