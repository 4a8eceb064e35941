// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation
import Testing

/// A worked example of the specification's section 4.
struct ReplayExample: Sendable, CustomTestStringConvertible {
  let name: String
  let root: JSONValue

  var testDescription: String { name }
  var given: JSONValue { root["given"] ?? .null }
  var steps: [JSONValue] { root["steps"]?.arrayValue ?? [] }

  /// All examples; empty if the fixtures are not there, which a test notices.
  static let all: [ReplayExample] = {
    guard let folder = Bundle.module.url(forResource: "Fixtures/remote-flags", withExtension: nil),
      let files = try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
    else { return [] }
    return files.sorted { $0.path < $1.path }.compactMap { file in
      guard let data = try? Data(contentsOf: file),
        let root = try? JSONValue(parsing: [UInt8](data))
      else { return nil }
      return ReplayExample(
        name: file.deletingPathExtension().lastPathComponent, root: root)
    }
  }()

  /// The requests of a step, each with the answer it gets.
  static func exchanges(of step: JSONValue) -> [ReplayExchange] {
    var pairs: [(JSONValue?, JSONValue?)] = []
    if let request = step["request"], !request.isNull { pairs.append((request, step["response"])) }
    for key in ["unorderedRequests", "thenRequests"] {
      for pair in step["expect"]?[key]?.arrayValue ?? [] {
        pairs.append((pair["request"], pair["response"]))
      }
    }
    return pairs.map { ReplayExchange(request: $0 ?? .null, response: $1 ?? .null) }
  }
}

/// One request that has to be sent, and what the server does with it.
struct ReplayExchange: Sendable {
  let request: JSONValue
  let response: JSONValue

  var path: String { request["path"]?.stringValue ?? "" }
  var holdName: String? { response["hold"]?.stringValue }
  var transportError: String? { response["transportError"]?.stringValue }

  /// The answer on the wire; nil to close the connection without one.
  static func bytes(_ response: JSONValue) -> [UInt8] {
    let status = response["status"]?.integerValue ?? 0
    var body = Array((response["bodyText"]?.stringValue ?? "").utf8)
    if let value = response["body"] { body = Array(value.text().utf8) }
    var lines = ["HTTP/1.1 \(status) Example"]
    var hasLength = status == 204
    for member in response["headers"]?.objectValue ?? [] {
      lines.append("\(member.key): \(member.value.stringValue ?? "")")
      if member.key == "Content-Length" { hasLength = true }
    }
    if !hasLength { lines.append("Content-Length: \(body.count)") }
    return Array((lines + ["", ""]).joined(separator: "\r\n").utf8) + body
  }
}
