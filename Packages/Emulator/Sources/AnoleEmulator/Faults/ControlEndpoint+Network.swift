// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension ControlEndpoint {
  /// The longest time, in milliseconds: a day; of a skew ten years.
  private static let longest: Int64 = 86_400_000
  private static let longestSkew: Int64 = 3_650 * 86_400_000

  static func setNetwork(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow("route", "latencyMs", "maximumLatencyMs", "streamLifetimeMs", "clockSkewMs")
    let route = try arguments.route()
    let least = try arguments.integer("latencyMs", in: 0...longest)
    let most = try arguments.integer("maximumLatencyMs", in: 0...longest) ?? least ?? 0
    let lifetime = try arguments.integer("streamLifetimeMs", in: 0...longest)
    let skew = try arguments.integer("clockSkewMs", in: -longestSkew...longestSkew)
    guard (least ?? 0) <= most else {
      throw ControlError(400, "maximumLatencyMs must not be less than latencyMs.")
    }
    guard least != nil || lifetime != nil || skew != nil else {
      throw ControlError(
        400, "There is nothing to set: give latencyMs, streamLifetimeMs or clockSkewMs.")
    }
    if let least {
      let range = Duration.milliseconds(least)...Duration.milliseconds(most)
      platform.faults.setLatency(most == 0 ? nil : range, for: route)
    }
    // 0 takes it back.
    if let lifetime {
      platform.streamLifetime = lifetime == 0 ? nil : .milliseconds(lifetime)
    }
    if let skew { platform.clockSkew = .milliseconds(skew) }
    return [:]
  }
}
