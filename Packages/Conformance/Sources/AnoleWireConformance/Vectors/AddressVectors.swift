// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking
import AnoleWireRecordings
import kameleoonClient

/// Hosts, addresses, their encoding, and the authorization of the token request, as requests show them.
enum AddressVectors {
  private static let credentials = (id: "cid", secret: "sec")

  // MARK: - Hosts

  /// A case of `vectors_hosts`.
  static func hosts(_ item: JSONValue) async throws -> WireVectors.Outcome {
    var configuration: [JSONValue.Member] = [.init(key: "realTimeUpdate", value: true)]
    if let domain = item["dataApiDomain"], !domain.isNull {
      configuration.append(.init(key: "dataApiDomain", value: domain))
    }
    let config = KameleoonClientConfig(
      clientId: credentials.id, clientSecret: credentials.secret,
      networkDomain: item["networkDomain"]?.stringValue)
    let answers = VectorPlatform.Answers(dataFile: ["configuration": .object(configuration)])
    return try await VectorClient.with(config: config, answers: answers) { client in
      _ = try await client.client.getRawRemoteData(key: "k")
      try await client.await { $0.count(.events) > 0 }
      let places: [(String, WireEndpoint)] = [
        ("configuration", .configuration), ("events", .events), ("data", .remoteData),
        ("accessToken", .token),
      ]
      for (name, endpoint) in places {
        let host = client.lastRequest(endpoint).map { authority(of: $0.url) } ?? "no request"
        let outcome = WireVectors.Outcome.compare(
          name, expected: try (item["hosts"] ?? [:]).text(name), actual: host)
        if case .differs = outcome { return outcome }
      }
      return .passed
    }
  }

  /// A case of `vectors_network_domain`.
  static func networkDomain(_ item: JSONValue) async throws -> WireVectors.Outcome {
    let config = KameleoonClientConfig(networkDomain: item["input"]?.stringValue)
    let expected = item["effective"]?.stringValue.map { "sdk-config.\($0)" }
    return try await VectorClient.with(config: config) { client in
      .compare(
        "host", expected: expected ?? "sdk-config.kameleoon.eu",
        actual: client.lastRequest(.configuration).map { authority(of: $0.url) } ?? "no request")
    }
  }

  private static func authority(of url: String) -> String {
    let parts = url.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count > 2 ? String(parts[2]) : url
  }

  // MARK: - Encoding

  /// A case of `vectors_percent_encoding`.
  static func percentEncoding(_ item: JSONValue) async throws -> WireVectors.Outcome {
    let (input, encoded) = (try item.text("input"), try item.text("encoded"))
    // An empty key stands for the visitor code.
    guard !input.isEmpty else {
      return .compare("encoding", expected: encoded, actual: PercentEncoding.encode(input))
    }
    return try await VectorClient.with { client in
      _ = try await client.client.getRawRemoteData(key: input)
      let target = client.lastRequest(.remoteData)?.target ?? "no request"
      return .compare(
        "target", expected: "/map/map?siteCode=\(VectorClient.siteCode)&key=\(encoded)",
        actual: target)
    }
  }

  // MARK: - Addresses

  /// A case of `vectors_urls`.
  static func url(_ item: JSONValue) async throws -> WireVectors.Outcome {
    let actual =
      switch try item.text("builder") {
      case "configuration": try await configuration(item)
      case "events": try await events()
      case "tracking": try await tracking()
      case "accessToken": try await accessToken()
      case "remoteData": try await remoteData(try item.text("key"))
      case "visitorData": try await visitorData(item)
      default: throw WireFormatError("unknown builder in \(item)")
      }
    var expected = try item.text("url")
    for (placeholder, name) in [("{SDK_NAME}", "sdkName="), ("{SDK_VERSION}", "sdkVersion=")] {
      let value = actual.firstRange(of: name).map { range in
        actual[range.upperBound...].prefix { $0 != "&" }
      }
      expected = expected.replacing(placeholder, with: value ?? "")
    }
    return .compare("address", expected: expected, actual: actual)
  }

  /// With a time: the fetch that a stream event causes.
  private static func configuration(_ item: JSONValue) async throws -> String {
    let timestamp = item["ts"]?.integerValue
    let answers = VectorPlatform.Answers(
      dataFile: ["configuration": ["realTimeUpdate": .bool(timestamp != nil)]])
    let config = KameleoonClientConfig(environment: item["environment"]?.stringValue)
    return try await VectorClient.with(config: config, answers: answers) { client in
      if let timestamp {
        client.platform.push("event: configuration-update-event\ndata: {\"ts\": \(timestamp)}\n\n")
        try await client.await { $0.count(.configuration) == 2 }
        guard client.count(.configuration) == 2 else { return "no second request" }
      }
      return client.lastRequest(.configuration)?.url ?? "no request"
    }
  }

  private static func events() async throws -> String {
    let answers = VectorPlatform.Answers(dataFile: ["configuration": ["realTimeUpdate": true]])
    return try await VectorClient.with(answers: answers) { client in
      try await client.await { $0.count(.events) > 0 }
      return client.lastRequest(.events)?.url ?? "no request"
    }
  }

  private static func tracking() async throws -> String {
    try await VectorClient.with { client in
      try await client.flush()
      return client.lastRequest(.tracking)?.url ?? "no request"
    }
  }

  private static func accessToken() async throws -> String {
    let config = KameleoonClientConfig(
      clientId: credentials.id, clientSecret: credentials.secret)
    return try await VectorClient.with(config: config) { client in
      _ = try await client.client.getRawRemoteData(key: "k")
      return client.lastRequest(.token)?.url ?? "no request"
    }
  }

  private static func remoteData(_ key: String) async throws -> String {
    try await VectorClient.with { client in
      _ = try await client.client.getRawRemoteData(key: key)
      return client.lastRequest(.remoteData)?.url ?? "no request"
    }
  }

  private static func visitorData(_ item: JSONValue) async throws -> String {
    let config = KameleoonClientConfig(isUniqueIdentifier: item["isUniqueIdentifier"]?.boolValue)
    return try await VectorClient.with(
      visitorCode: try item.text("visitorCode"), config: config
    ) { client in
      try await client.client.getRemoteVisitorData(filter: .default, addData: true)
      return client.lastRequest(.visitorData)?.url ?? "no request"
    }
  }

  // MARK: - Authorization

  /// A case of `vectors_basic_authorization`.
  static func authorization(_ item: JSONValue) async throws -> WireVectors.Outcome {
    let config = KameleoonClientConfig(
      clientId: try item.text("clientId"), clientSecret: try item.text("clientSecret"))
    return try await VectorClient.with(config: config) { client in
      _ = try await client.client.getRawRemoteData(key: "k")
      return .compare(
        "Authorization", expected: try item.text("header"),
        actual: client.lastRequest(.token)?.headers["Authorization"] ?? "no token request")
    }
  }
}
