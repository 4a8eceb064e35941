// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import Testing

private struct URLVector: Decodable {
  let builder: String
  let siteCode: String
  let environment: String?
  let ts: Int64?
  let key: String?
  let visitorCode: String?
  let isUniqueIdentifier: Bool?
  let url: String
}

private struct EncodingVector: Decodable {
  let input: String
  let encoded: String
}

private let identity = ClientIdentity(name: "{SDK_NAME}", version: "{SDK_VERSION}")

/// Undoes percent-encoding strictly: nil for a wrong escape.
private func decoded(_ text: String) -> [UInt8]? {
  var bytes: [UInt8] = []
  var rest = Array(text.utf8)[...]
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(byte)
      continue
    }
    let digits = String(decoding: rest.prefix(2), as: UTF8.self)
    guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
    bytes.append(value)
    rest = rest.dropFirst(2)
  }
  return bytes
}

@Suite("Addresses")
struct URLTests {
  private func url(_ row: URLVector) -> String? {
    let urls = PlatformURLs(
      siteCode: row.siteCode, environment: row.environment, identity: identity)
    switch row.builder {
    case "configuration": return urls.configuration(timestamp: row.ts)
    case "events": return urls.events()
    case "tracking": return urls.tracking()
    case "accessToken": return urls.accessToken()
    case "remoteData": return row.key.map { urls.mapData(key: $0) }
    case "visitorData":
      return row.visitorCode.map {
        urls.visitorData(
          VisitorDataQuery(visitorCode: $0, isUniqueIdentifier: row.isUniqueIdentifier ?? false))
      }
    default: return nil
    }
  }

  @Test("recorded addresses")
  func recorded() throws {
    for row in try FixtureFile.cases(URLVector.self, in: "urls") {
      // The placeholders' braces are not encoded in the recording.
      let expected = row.url.split(separator: "{").enumerated().map {
        $0 == 0 ? "\($1)" : "%7B\($1)"
      }
      .joined().split(separator: "}").joined(separator: "%7D")
      #expect(url(row) == expected)
    }
  }

  @Test("recorded encodings of values")
  func encoding() throws {
    for row in try FixtureFile.cases(EncodingVector.self, in: "percent_encoding") {
      #expect(PercentEncoding.encode(row.input) == row.encoded)
    }
  }

  @Test("all parts of visitor data in their order, and the range of former visits")
  func visitorData() {
    let urls = PlatformURLs(siteCode: "s", identity: identity)
    let query = VisitorDataQuery(
      visitorCode: "v", previousVisitCount: 99, parts: Set(VisitorDataQuery.Part.allCases))
    let base = "https://data.kameleoon.io/visit/visitor?siteCode=s&visitorCode=v"
    #expect(
      urls.visitorData(query) == base + "&maxNumberPreviousVisits=25&version=0&staticData=true"
        + "&kcs=true&currentVisit=true&customData=true&conversion=true&geolocation=true"
        + "&experiment=true&page=true&personalization=true&cbs=true")
    let least = VisitorDataQuery(visitorCode: "v", previousVisitCount: -3, parts: [])
    #expect(
      urls.visitorData(least) == base + "&maxNumberPreviousVisits=1&version=0&staticData=true")
  }

  @Test("an override moves one endpoint and keeps path and query")
  func overrides() {
    let urls = PlatformURLs(
      siteCode: "s", environment: "e", identity: identity,
      overrides: [
        .configuration: EndpointAddress(port: 8_080),
        .events: EndpointAddress(scheme: "https", host: "[::1]", port: nil),
        .tracking: EndpointAddress(port: 1),
      ])
    #expect(urls.configuration(timestamp: 0) == "http://127.0.0.1:8080/v3/s?environment=e&ts=0")
    #expect(urls.events() == "https://[::1]/sse?siteCode=s")
    #expect(urls.tracking().hasPrefix("http://127.0.0.1:1/visit/events?sdkName="))
    #expect(urls.mapData(key: "k") == "https://data.kameleoon.io/map/map?siteCode=s&key=k")
  }

  @Test("an odd site code cannot leave its place in the path")
  func oddSiteCode() {
    let urls = PlatformURLs(siteCode: "a/../b?c#d", identity: identity)
    #expect(urls.configuration() == "https://sdk-config.kameleoon.eu/v3/a%2F..%2Fb%3Fc%23d")
  }

  @Test("twenty thousand damaged values stay in their parameter and decode to themselves")
  func fuzz() throws {
    var mutation = TestMutation(seed: 0x07, marks: "&=?#/% +;\u{0}\n")
    let seeds = ["user@example.com", "a b/ü&=+", "%41%zz", "吉🚀 ~!*'()"].map { Array($0.utf8) }
    let allowed = Set(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~!*'()%".utf8)
    for round in 0..<20_000 {
      let value = String(decoding: mutation.mutate(seeds[round % seeds.count]), as: UTF8.self)
      let urls = PlatformURLs(siteCode: value, environment: value, identity: identity)
      let encoded = PercentEncoding.encode(value)
      #expect(encoded.utf8.allSatisfy(allowed.contains))
      #expect(decoded(encoded) == Array(value.utf8))
      let expected = "https://data.kameleoon.io/map/map?"
      let site = value.isEmpty ? "" : "siteCode=\(encoded)&"
      #expect(urls.mapData(key: "k") == expected + site + "key=k")
      let query = value.isEmpty ? "" : "?environment=\(encoded)"
      #expect(
        urls.configuration() == "https://sdk-config.kameleoon.eu/v3/\(encoded)" + query)
    }
  }
}
