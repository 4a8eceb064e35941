// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTracking
import Foundation
import Testing

/// A case of `vectors_event_lines`.
struct LineVector: Sendable, CustomTestStringConvertible {
  let event: TrackingEvent
  let line: String
  var testDescription: String { line }
}

/// Reads the recorded lines.
enum LineVectors {
  static func cases(of name: String) throws -> [JSONValue] {
    let url = try #require(
      Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures/wire"))
    let document = try JSONValue(parsing: Array(try Data(contentsOf: url)))
    let cases = try #require(document["cases"]?.arrayValue)
    try #require(!cases.isEmpty)
    return cases
  }

  static func event(_ data: JSONValue) throws -> TrackingEvent {
    let text = { (key: String) in data[key]?.stringValue }
    let integer = { (key: String) in data[key]?.integerValue ?? 0 }
    switch try #require(text("type")) {
    case "activity": return .activity
    case "experiment":
      return .experiment(experimentID: integer("id"), variationID: integer("variationId"))
    case "targetingSegment": return .targetedSegment(id: integer("id"))
    case "customData", "mappingIdentifier":
      return .customData(
        index: Int(integer("index")), values: strings(data["values"]),
        isOverwriting: data["overwrite"]?.boolValue ?? true,
        isMappingIdentifier: text("type") == "mappingIdentifier")
    case "conversion":
      let metadata = (data["metadata"]?.arrayValue ?? []).map {
        ConversionMetadata(
          index: Int($0["index"]?.integerValue ?? -1), values: strings($0["values"]))
      }
      return .conversion(
        goalID: integer("goalId"), revenue: data["revenue"]?.doubleValue ?? 0,
        isNegative: data["negative"]?.boolValue ?? false, metadata: metadata)
    case "geolocation":
      return .geolocation(
        Geolocation(
          country: text("country") ?? "", region: text("region"), city: text("city"),
          postalCode: text("postalCode"), latitude: data["latitude"]?.doubleValue,
          longitude: data["longitude"]?.doubleValue))
    case "device": return .device(try #require(text("device").flatMap(Device.init)))
    case "operatingSystem":
      return .operatingSystem(try #require(text("os").flatMap(OperatingSystem.init)))
    case "browser":
      let name = text("browser") == "INTERNET_EXPLORER" ? "IE" : text("browser")
      return .browser(
        Browser(
          type: try #require(name.flatMap(BrowserType.init)),
          version: data["version"]?.doubleValue))
    case "visits":
      return .visits(
        previousCount: Int(integer("visitNumber")),
        timeSincePrevious: .milliseconds(integer("timeSincePreviousVisit")))
    case "pageView":
      return .pageView(
        url: text("url") ?? "", title: text("title"),
        referrers: (data["referrers"]?.arrayValue ?? []).compactMap {
          $0.integerValue.map(Int.init)
        })
    default: throw VectorProblem(description: "unknown type in \(data)")
    }
  }

  private static func strings(_ value: JSONValue?) -> [String] {
    (value?.arrayValue ?? []).compactMap(\.stringValue)
  }
}

struct VectorProblem: Error, CustomStringConvertible {
  let description: String
}

/// A line as a set of parameters, numbers by value, JSON values decoded: how the recordings are to
/// be compared.
func comparable(_ line: String) throws -> [String: JSONValue] {
  var parameters: [String: JSONValue] = [:]
  for pair in line.split(separator: "&") {
    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = try #require(String(parts.last ?? "").removingPercentEncoding)
    let name = String(parts[0])
    let isJSON = ["valuesCountMap", "metadata", "referrersIndices"].contains(name)
    if isJSON {
      parameters[name] = try JSONValue(parsing: value)
    } else if let number = Double(value), name != "nonce" {
      parameters[name] = .number(.double(number))
    } else {
      parameters[name] = .string(value)
    }
  }
  return parameters
}

@Suite("Recorded lines")
struct VectorTests {
  static let nonce = Nonce(0x0123_4567_89AB_CDEF)

  @Test("every recorded line is written with the same parameters and values")
  func recorded() throws {
    let cases = try LineVectors.cases(of: "vectors_event_lines")
    #expect(cases.count == 35)
    for item in cases {
      let event = try LineVectors.event(try #require(item["data"]))
      let expected = try #require(item["line"]?.stringValue)
      var lines = EventLines()
      let hasLine = lines.append(
        event, nonce: Self.nonce, identity: .visitorCode("visitor-1"))
      guard !expected.isEmpty else {
        #expect(!hasLine && lines.bytes.isEmpty && lines.count == 0)
        continue
      }
      let recorded =
        expected.replacing("{NONCE_1}", with: "0123456789ABCDEF") + "&visitorCode=visitor-1"
      let actual = String(decoding: lines.bytes, as: UTF8.self)
      #expect(try comparable(actual) == comparable(recorded), "\(actual)")
    }
  }

  @Test("parameter values are percent-encoded as recorded")
  func percentEncoding() throws {
    let cases = try LineVectors.cases(of: "vectors_percent_encoding")
    #expect(cases.count == 108)
    for item in cases {
      let input = try #require(item["input"]?.stringValue)
      let encoded = try #require(item["encoded"]?.stringValue)
      var lines = EventLines()
      lines.append(.activity, nonce: Self.nonce, identity: .visitorCode(input))
      #expect(
        String(decoding: lines.bytes, as: UTF8.self)
          == "nonce=0123456789ABCDEF&eventType=activity&visitorCode=" + encoded)
    }
  }
}
