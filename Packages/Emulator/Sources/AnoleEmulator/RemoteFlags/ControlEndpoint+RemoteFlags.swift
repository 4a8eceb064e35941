// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension ControlEndpoint {
  static func setRemoteFlags(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow("application", "json", "text", "token")
    let application = try arguments.text("application")
    let token = try arguments.text("token")
    let body = try arguments.bytes(json: "json", text: "text", base64: "base64")
    guard body != nil || token != nil else {
      throw ControlError(400, "There is nothing to set: give json, text or token.")
    }
    if let body {
      do {
        platform.remoteFlags.set(
          try RemoteFlagRules(parsing: body), application: application)
      } catch {
        throw ControlError(400, "\(error).")
      }
    }
    if let token { platform.remoteFlags.token = token.isEmpty ? nil : token }
    return [:]
  }

  static func removeRemoteFlags(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow("application")
    platform.remoteFlags.set(nil, application: try arguments.text("application"))
    return [:]
  }
}
