// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension ControlEndpoint {
  static func setDataFile(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow(
      "siteCode", "environment", "lastModified", "entityTag", "json", "text", "base64")
    guard let body = try arguments.bytes(json: "json", text: "text", base64: "base64") else {
      throw ControlError(400, "The data file is missing: give json, text or base64.")
    }
    let file = ServedDataFile(
      body: body, lastModified: try headerText("lastModified", arguments),
      entityTag: try headerText("entityTag", arguments))
    platform.dataFiles.set(
      file, siteCode: try arguments.text("siteCode"),
      environment: try arguments.text("environment"))
    return ["bytes": .number(.integer(Int64(body.count)))]
  }

  static func removeDataFile(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow("siteCode", "environment")
    platform.dataFiles.set(
      nil, siteCode: try arguments.text("siteCode"),
      environment: try arguments.text("environment"))
    return [:]
  }

  static func pushToStreams(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow("siteCode", "event", "data", "comment", "text", "ts")
    let bytes: [UInt8]
    if let timestamp = try arguments.integer("ts", in: Int64.min...Int64.max) {
      let count = platform.pushConfigurationUpdate(
        Timestamp(milliseconds: Int64(timestamp)), siteCode: try arguments.text("siteCode"))
      return ["streams": .number(.integer(Int64(count)))]
    }
    if let data = try arguments.text("data") {
      bytes = StreamText.event(name: try arguments.text("event"), data: data)
    } else if let comment = try arguments.text("comment") {
      bytes = StreamText.comment(comment)
    } else if let text = try arguments.text("text") {
      bytes = Array(text.utf8)
    } else {
      throw ControlError(400, "There is nothing to send: give ts, data, comment or text.")
    }
    let count = platform.push(bytes, siteCode: try arguments.text("siteCode"))
    return ["streams": .number(.integer(Int64(count)))]
  }

  static func closeStreams(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow("siteCode")
    let count = platform.closeStreams(siteCode: try arguments.text("siteCode"))
    return ["streams": .number(.integer(Int64(count)))]
  }

  static func setRemoteData(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow("key", "json", "text", "base64")
    let key = try arguments.requiredText("key")
    platform.remoteData[key] = try arguments.bytes(json: "json", text: "text", base64: "base64")
    return [:]
  }

  static func setWarehouse(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow("key", "audiences")
    let key = try arguments.requiredText("key")
    guard let names = try arguments.list("audiences") else {
      throw ControlError(400, "audiences is missing.")
    }
    platform.setWarehouseAudiences(names, forKey: key)
    return [:]
  }

  static func setVisitorData(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow("visitor", "json", "text", "base64")
    let visitor = try arguments.requiredText("visitor")
    platform.visitorData[visitor] = try arguments.bytes(
      json: "json", text: "text", base64: "base64")
    return [:]
  }

  static func setTokens(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow("required", "lifetimeSeconds", "credentials", "accept", "revoke")
    let isRequired = try arguments.bool("required")
    let lifetime = try arguments.integer("lifetimeSeconds", in: 0...Int64(Int32.max))
    let credentials = try arguments.texts("credentials")
    let accepted = try arguments.list("accept") ?? []
    if try arguments.bool("revoke") == true { platform.tokens.revokeAll() }
    if let isRequired { platform.tokens.isRequired = isRequired }
    if let lifetime { platform.tokens.lifetime = lifetime }
    if let credentials {
      platform.tokens.credentials = Dictionary(
        credentials.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }
    for token in accepted { platform.tokens.accept(token) }
    return [:]
  }

  static func refuseConnections(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow("refuse")
    // Never "until cleared" from here: the request that clears it would be refused as well.
    guard let count = try arguments.integer("refuse", in: 0...1_000_000) else {
      throw ControlError(400, "refuse is missing: how many connections are to be closed.")
    }
    platform.refusedConnections = count
    return [:]
  }

  private static func headerText(
    _ name: String, _ arguments: ControlArguments
  ) throws(ControlError) -> String? {
    guard let text = try arguments.text(name) else { return nil }
    guard HeaderField.isValid(name: "x", value: text) else {
      throw ControlError(400, "\(name) must not hold control characters.")
    }
    return text
  }
}
