// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import Foundation
import Testing

/// One recorded request and the answer that it got.
struct WireExchange: Sendable {
  enum Endpoint: String, Sendable, Hashable {
    case config, sse, tracking, visitorData, remoteData, token
  }

  let endpoint: Endpoint
  let method: String
  let url: String
  let headers: [String: String]
  let body: [UInt8]?
  let answer: Result<HTTPResponse, HTTPError>
  /// The pieces of an event stream, and whether the server ended it.
  let chunks: [String]
  let isEnded: Bool
  /// The recorded time since the request before to the same endpoint.
  let millisecondsAfterPrevious: Int?

  /// The decoded value of a parameter.
  func parameter(_ name: String) -> String? {
    URLComponents(string: url)?.queryItems?.first { $0.name == name }?.value
  }
}

/// A recorded sequence of requests.
struct WireScenario: Sendable {
  static let identity = ClientIdentity(name: "SWIFT", version: "4.27.2")

  let name: String
  let siteCode: String
  let environment: String?
  let networkDomain: String?
  let credentials: ClientCredentials?
  let exchanges: [WireExchange]
  /// The recorded pauses: how many calls for remote data came before, and how long.
  let sleeps: [(callsBefore: Int, milliseconds: Int)]

  init(_ name: String) throws {
    self.name = name
    let json = try JSONSerialization.jsonObject(with: FixtureFile.wire("\(name).json"))
    let root = try #require(json as? [String: Any])
    let config = try #require(root["config"] as? [String: Any])
    let credentials = root["credentials"] as? [String: String]
    siteCode = try #require(root["siteCode"] as? String)
    environment = config["environment"] as? String
    networkDomain = config["networkDomain"] as? String
    self.credentials = ClientCredentials(
      id: credentials?["clientId"], secret: credentials?["clientSecret"])
    let list = try #require(root["exchanges"] as? [[String: Any]])
    try #require(!list.isEmpty, "\(name) has no exchanges")
    exchanges = try list.map(WireExchange.init)
    var calls = 0
    var sleeps: [(Int, Int)] = []
    for step in root["steps"] as? [[String: Any]] ?? [] {
      if step["op"] as? String == "getRemoteData" { calls += 1 }
      if let span = step["ms"] as? Int { sleeps.append((calls, span)) }
    }
    self.sleeps = sleeps
  }
}

extension WireExchange {
  fileprivate init(_ json: [String: Any]) throws {
    let request = try #require(json["request"] as? [String: Any])
    let response = try #require(json["response"] as? [String: Any])
    endpoint = try #require(Endpoint(rawValue: json["endpoint"] as? String ?? ""))
    method = try #require(request["method"] as? String)
    url = try Self.url(request)
    headers = (request["headers"] as? [String: String] ?? [:]).mapValues(Self.filled)
    let text =
      request["body"] as? String ?? (request["bodyLines"] as? [String])?.joined(separator: "\n")
    body = text.map { Array($0.utf8) }
    answer = try Self.answer(response)
    let stream = response["stream"] as? [[String: Any]] ?? []
    chunks = stream.compactMap { $0["chunk"] as? String }
    isEnded = stream.contains { $0["close"] as? Bool == true }
    millisecondsAfterPrevious = json["msAfterPreviousSameEndpoint"] as? Int
  }

  private static func filled(_ text: String) -> String {
    text.replacingOccurrences(of: "{SDK_NAME}", with: WireScenario.identity.name)
      .replacingOccurrences(of: "{SDK_VERSION}", with: WireScenario.identity.version)
  }

  private static func url(_ request: [String: Any]) throws -> String {
    let scheme = try #require(request["scheme"] as? String)
    let host = try #require(request["host"] as? String)
    let path = try #require(request["path"] as? String)
    let port = (request["port"] as? Int).map { ":\($0)" } ?? ""
    let query = (request["query"] as? String).map { $0.isEmpty ? "" : "?\($0)" } ?? ""
    return filled("\(scheme)://\(host)\(port)\(path)\(query)")
  }

  private static func answer(
    _ response: [String: Any]
  ) throws -> Result<HTTPResponse, HTTPError> {
    if response["drop"] as? Bool == true { return .lost() }
    let status = try #require(response["status"] as? Int)
    var headers = HTTPHeaders()
    for (name, value) in response["headers"] as? [String: String] ?? [:] { headers[name] = value }
    var body: [UInt8] = []
    if let file = response["bodyFile"] as? String {
      body = [UInt8](try FixtureFile.wire(file))
    } else if let json = response["jsonBody"] {
      body = [UInt8](try JSONSerialization.data(withJSONObject: json, options: .fragmentsAllowed))
    } else if let text = response["textBody"] as? String {
      body = Array(text.utf8)
    }
    return .success(HTTPResponse(status: status, headers: headers, body: body))
  }
}
