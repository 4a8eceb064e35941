// SPDX-License-Identifier: Apache-2.0

/// What is known of the device without the visitor's doing.
public protocol DeviceInfo: Sendable {
  /// The kind of device; nil if unknown.
  var device: Device? { get }
  /// The name of the operating system, such as `Linux`.
  var osName: String { get }
  /// Its version, such as `6.1`.
  var osVersion: String { get }
  /// The model of the device; nil if unknown.
  var model: String? { get }
  /// The user's language as a code, such as `de`.
  var language: String { get }
  /// The distance of local time from UTC, in seconds, eastwards positive.
  var timeZoneOffset: Int { get }
  /// The application's version; nil if unknown.
  var appVersion: String? { get }
}
