// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import Foundation
import Testing

@testable import kameleoonClient

/// Reads a file of recorded vectors; a missing or damaged one fails the test.
enum VectorFile {
  private struct Document<Case: Decodable>: Decodable {
    let cases: [Case]
  }

  static func cases<Case: Decodable>(_ name: String, as type: Case.Type) throws -> [Case] {
    let url = try #require(
      Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures"))
    return try JSONDecoder().decode(Document<Case>.self, from: Data(contentsOf: url)).cases
  }
}

/// Where an activity interval comes from, and what comes of it.
struct ActivityCase: Sendable, CustomTestStringConvertible {
  let given: Int?
  let expected: Duration?
  let isReplaced: Bool
  init(_ given: Int?, _ expected: Duration?, isReplaced: Bool = false) {
    self.given = given
    self.expected = expected
    self.isReplaced = isReplaced
  }
  var testDescription: String { "\(given.map(String.init) ?? "nil")" }
}

/// Network specification, section 7.1.
let activityCases: [ActivityCase] = [
  ActivityCase(nil, .seconds(60)),
  ActivityCase(0, nil),
  ActivityCase(-1, .seconds(60), isReplaced: true),
  ActivityCase(1, .seconds(60), isReplaced: true),
  ActivityCase(20_000, .seconds(60), isReplaced: true),
  ActivityCase(59_999, .seconds(60), isReplaced: true),
  ActivityCase(60_000, .seconds(60)),
  ActivityCase(90_000, .seconds(90)),
]

@Suite("Settings in force")
struct ConfigVectorTests {
  @Test("every recorded value of an interval or limit")
  func values() throws {
    struct Case: Decodable {
      let parameter: String
      let input: Int?
      let effectiveMs: Int
    }
    let cases = try VectorFile.cases("vectors_config_values", as: Case.self)
    #expect(cases.count == 24)
    for row in cases {
      let effective: Duration
      switch row.parameter {
      case "trackingIntervalMillisecond":
        effective = settings(.init(trackingIntervalMillisecond: row.input)).trackingInterval
      case "refreshIntervalMinute":
        effective = settings(.init(refreshIntervalMinute: row.input)).refreshInterval
      case "defaultTimeoutMillisecond":
        effective = settings(.init(defaultTimeoutMillisecond: row.input)).timeout
      default:
        Issue.record("unknown parameter \(row.parameter)")
        continue
      }
      #expect(effective == .milliseconds(row.effectiveMs), "\(row)")
    }
  }

  @Test("every recorded network domain")
  func domains() throws {
    struct Case: Decodable {
      let input: String?
      let effective: String?
    }
    let cases = try VectorFile.cases("vectors_network_domain", as: Case.self)
    #expect(cases.count > 20)
    for row in cases {
      let settings = settings(.init(networkDomain: row.input))
      #expect(settings.networkDomain?.name == row.effective, "\(row)")
    }
  }

  @Test("the interval of activity", arguments: activityCases)
  func activity(_ row: ActivityCase) {
    let settings = settings(.init(activityTrackingIntervalMillisecond: row.given))
    #expect(settings.activityInterval == row.expected)
    #expect(settings.remarks.map(\.level) == (row.isReplaced ? [.warning] : []))
  }

  @Test("each value that is replaced is told, each domain that is none is an error")
  func messages() {
    let odd = settings(
      KameleoonClientConfig(
        clientId: "id", refreshIntervalMinute: 0, defaultTimeoutMillisecond: -5,
        trackingIntervalMillisecond: 500, networkDomain: "https://example.com",
        activityTrackingIntervalMillisecond: 20_000))
    for name in [
      "refreshIntervalMinute", "defaultTimeoutMillisecond", "trackingIntervalMillisecond",
      "activityTrackingIntervalMillisecond", "networkDomain", "clientSecret",
    ] {
      #expect(
        odd.remarks.filter { $0.text.contains(name) }.map(\.level) == [.warning], "\(name)")
    }
    #expect(odd.remarks.count == 6)
    #expect(odd.credentials == nil)
    #expect(settings(.init(networkDomain: "not a domain")).remarks.map(\.level) == [.error])
    let plain = settings(KameleoonClientConfig(clientId: "id", clientSecret: "secret"))
    #expect(plain.remarks.isEmpty)
    #expect(plain.credentials != nil)
  }

  @Test("empty texts count as none, expiry of 0 and less as never")
  func absent() {
    #expect(settings(.init(environment: "")).environment == nil)
    #expect(settings(.init(defaultDataFile: "")).defaultDataFile == nil)
    #expect(settings(.init(environment: "staging")).environment == "staging")
    #expect(settings(.init(dataExpirationIntervalMinute: 0)).dataExpiration == nil)
    #expect(settings(.init(dataExpirationIntervalMinute: 3)).dataExpiration == .seconds(180))
  }

  private func settings(_ config: KameleoonClientConfig) -> EffectiveConfiguration {
    EffectiveConfiguration(config)
  }
}
