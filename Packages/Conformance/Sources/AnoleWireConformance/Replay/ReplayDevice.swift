// SPDX-License-Identifier: Apache-2.0

import kameleoonClient

/// The device of a scenario, the same on every machine.
struct ReplayDevice: DeviceInfo {
  let device: kameleoonClient.Device?
  let osName: String
  let osVersion = "6.1"
  let model: String? = "x86_64"
  let language = "en"
  let timeZoneOffset = 0
  let appVersion: String? = nil

  /// A computer that the client finds by itself, as on every real device.
  static let detected = ReplayDevice(device: .desktop, osName: "Linux")
  /// Nothing is detected, as with the recorded server-side SDK.
  static let unknown = ReplayDevice(device: nil, osName: "")
}
