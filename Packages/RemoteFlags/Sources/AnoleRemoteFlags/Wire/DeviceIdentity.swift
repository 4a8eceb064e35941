// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// What every request says about the device and its user (remote flags specification, section 2.1).
struct DeviceIdentity: Sendable, Equatable {
  let application: String
  let deviceID: String
  let userID: String
  let deviceType: Int
  let version: String

  /// The members common to all requests.
  var members: [JSONValue.Member] {
    [
      JSONValue.Member(key: "application", value: .string(application)),
      JSONValue.Member(key: "hwid", value: .string(deviceID)),
      JSONValue.Member(key: "userId", value: .string(userID)),
      JSONValue.Member(key: "device_type", value: .number(.integer(Int64(deviceType)))),
      JSONValue.Member(key: "v", value: .string(version)),
    ]
  }

  /// The body of a request.
  ///
  /// - Parameter additional: What the request says beyond the common members.
  func body(_ additional: [JSONValue.Member] = []) -> [UInt8] {
    let request = JSONValue.Member(key: "request", value: .object(members + additional))
    return Array(JSONValue.object([request]).text().utf8)
  }
}
