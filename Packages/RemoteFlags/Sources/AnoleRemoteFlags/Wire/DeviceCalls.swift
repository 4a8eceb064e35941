// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Calls of the device API beside flags (remote flags specification, section 2.2).
enum DeviceCall: Sendable, Equatable {
  case registerUser
  case registerDevice(DeviceRegistration)
  case impression(FlagImpression)

  /// The name of the method, which is appended to the base URL.
  var method: String {
    switch self {
    case .registerUser: "registerUser"
    case .registerDevice: "registerDevice"
    case .impression: "postEvent"
    }
  }

  /// The body for a device.
  func body(_ identity: DeviceIdentity) -> [UInt8] {
    switch self {
    case .registerUser: identity.body()
    case .registerDevice(let registration): identity.body(registration.members)
    case .impression(let impression): identity.body(impression.members)
    }
  }
}
