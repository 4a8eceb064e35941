// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels

extension Recording {
  /// Reads a recording, or a scenario of recorded exchanges.
  ///
  /// - Parameters:
  ///   - bytes: The JSON text.
  ///   - name: How the file is called in messages.
  ///   - bodyFile: Reads a body that is in a file of its own, beside the recording.
  /// - Throws: a sentence that names the place.
  init(
    _ bytes: [UInt8], name: String, bodyFile: (String) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(parsing: bytes)
    } catch {
      throw .data("\(name): \(error); mend it at that place")
    }
    guard let list = document["exchanges"]?.arrayValue else {
      throw .data("\(name): \"exchanges\" is no list; name a file that demo-cli record has written")
    }
    siteCode = document["siteCode"]?.stringValue ?? ""
    for (position, json) in list.enumerated() {
      let place = Place(name: "\(name): exchanges[\(position)]", json: json)
      let route = try place.text("endpoint")
      guard let route = Route(rawValue: route) else {
        let known = Route.allCases.map(\.rawValue)
        throw place.failure(
          "endpoint is \(Printable.quote(route)); \(DataSource.hint(route, known))")
      }
      exchanges.append(
        Exchange(
          route: route, request: try Request(try place.member("request")),
          answer: try Answer(try place.member("response"), bodyFile: bodyFile)))
    }
  }
}

/// A part of the document, with its path.
private struct Place {
  let name: String
  let json: JSONValue

  func member(_ key: String) throws(Failure) -> Place {
    guard let value = json[key], value.objectValue != nil else {
      throw failure("\(key) is no object")
    }
    return Place(name: "\(name).\(key)", json: value)
  }

  func text(_ key: String) throws(Failure) -> String {
    guard let text = json[key]?.stringValue else { throw failure("\(key) is no text") }
    return text
  }

  /// A whole number; the fallback where it is missing.
  func integer(
    _ key: String, in bounds: ClosedRange<Int64>, default fallback: Int64?
  ) throws(Failure) -> Int {
    guard let number = json[key].map(\.integerValue) ?? fallback, bounds.contains(number) else {
      throw failure(
        "\(key) is no whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return Int(number)
  }

  func fields(_ key: String) throws(Failure) -> [Recording.Field] {
    guard let value = json[key] else { return [] }
    guard let members = value.objectValue else { throw failure("\(key) is no object") }
    var fields: [Recording.Field] = []
    for member in members {
      guard let text = member.value.stringValue,
        HeaderField.isValid(name: member.key, value: text)
      else { throw failure("\(key).\(Printable.line(member.key)) is no header field") }
      fields.append(Recording.Field(name: member.key, value: text))
    }
    return fields
  }

  func base64(_ key: String) throws(Failure) -> [UInt8] {
    guard let bytes = Base64Text.decode(try text(key)) else { throw failure("\(key) is no base64") }
    return bytes
  }

  func failure(_ sentence: String) -> Failure { .data("\(name).\(sentence); mend it there") }
}

extension Recording.Request {
  fileprivate init(_ place: Place) throws(Failure) {
    method = try place.text("method")
    path = try place.text("path")
    query = place.json["query"]?.stringValue ?? ""
    fields = try place.fields("headers")
    if let lines = place.json["bodyLines"]?.arrayValue {
      body = Array(lines.map { $0.stringValue ?? "" }.joined(separator: "\n").utf8)
    } else if place.json["bodyBase64"] != nil {
      body = try place.base64("bodyBase64")
    } else {
      body = Array((place.json["body"]?.stringValue ?? "").utf8)
    }
  }
}

extension Recording.Answer {
  private static let longestDelay: Int64 = 600_000

  fileprivate init(
    _ place: Place, bodyFile: (String) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    self.init()
    delay = try place.integer("delayMs", in: 0...Self.longestDelay, default: 0)
    guard place.json["drop"]?.boolValue != true else { return }
    status = try place.integer("status", in: 200...999, default: nil)
    fields = try place.fields("headers")
    let json = place.json
    if let steps = json["stream"]?.arrayValue {
      body = .stream(
        steps.compactMap { $0["chunk"]?.stringValue },
        isEnded: steps.contains { $0["close"]?.boolValue == true })
    } else if let value = json["jsonBody"] {
      body = .bytes(Array(value.text().utf8))
    } else if json["bodyFile"] != nil {
      body = .bytes(try bodyFile(try place.text("bodyFile")))
    } else if json["bodyBase64"] != nil {
      body = .bytes(try place.base64("bodyBase64"))
    } else {
      body = .bytes(Array((json["textBody"]?.stringValue ?? "").utf8))
    }
  }
}
