// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels

extension Recording {
  /// The recording as JSON, as `replay` and `conformance` read it.
  ///
  /// Credentials are left out: `Authorization` is replaced, as are access tokens in answers.
  var document: JSONValue {
    [
      "name": "recording", "siteCode": .string(siteCode),
      "exchanges": .array(
        exchanges.enumerated().map { sequence, exchange in
          [
            "seq": .count(sequence), "endpoint": .string(exchange.route.rawValue),
            "request": exchange.request.document(isTracking: exchange.route == .tracking),
            "response": exchange.answer.document(hasToken: exchange.route == .token),
          ]
        }),
    ]
  }
}

extension Recording.Request {
  fileprivate func document(isTracking: Bool) -> JSONValue {
    var members: [(String, JSONValue?)] = [
      ("method", .string(method)), ("path", .string(path)),
      ("query", query.isEmpty ? JSONValue?.none : .string(query)), ("headers", fields.document),
    ]
    if let text = String(validating: body, as: UTF8.self) {
      if isTracking {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        members.append(("bodyLines", .array(lines.map { .string(String($0)) })))
      } else if !text.isEmpty {
        members.append(("body", .string(text)))
      }
    } else {
      members.append(("bodyBase64", .string(Base64Text.encode(body))))
    }
    return .members(members)
  }
}

extension Recording.Answer {
  fileprivate func document(hasToken: Bool) -> JSONValue {
    guard let status else { return ["drop": true] }
    var members: [(String, JSONValue?)] = [
      ("status", .count(status)), ("headers", fields.isEmpty ? JSONValue?.none : fields.document),
      ("delayMs", delay > 0 ? .count(delay) : JSONValue?.none),
    ]
    switch body {
    case .stream(let pieces, let isEnded):
      let chunks = pieces.map { JSONValue.members([("chunk", .string($0))]) }
      members.append(("stream", .array(chunks + (isEnded ? [["close": true]] : []))))
    case .bytes(let bytes): members.append(Self.body(bytes, hasToken: hasToken))
    }
    return .members(members)
  }

  private static func body(_ bytes: [UInt8], hasToken: Bool) -> (String, JSONValue?) {
    guard !bytes.isEmpty else { return ("textBody", JSONValue?.none) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return ("bodyBase64", .string(Base64Text.encode(bytes)))
    }
    guard hasToken else { return ("textBody", .string(text)) }
    do throws(JSONError) {
      let members = try JSONValue(parsing: bytes).objectValue ?? []
      let safe = members.map { member in
        member.key == "access_token"
          ? JSONValue.Member(key: member.key, value: "ACCESS_TOKEN") : member
      }
      return ("textBody", .string(JSONValue.object(safe).text()))
    } catch {
      // No token can be told from the rest.
      return ("textBody", "")
    }
  }
}

extension [Recording.Field] {
  fileprivate var document: JSONValue {
    .object(
      map { field in
        let isSecret = field.name.lowercased() == "authorization"
        return JSONValue.Member(
          key: field.name, value: .string(isSecret ? "AUTHORIZATION" : field.value))
      })
  }
}
