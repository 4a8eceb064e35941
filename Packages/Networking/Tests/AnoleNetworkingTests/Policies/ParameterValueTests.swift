// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import Testing

private struct ParameterVector: Decodable {
  let parameter: String
  let input: Int?
  let effectiveMs: Int64
}

@Suite("Configured times")
struct ParameterValueTests {
  @Test("recorded values in force")
  func recorded() throws {
    for row in try FixtureFile.cases(ParameterVector.self, in: "config_values") {
      let effective =
        switch row.parameter {
        case "trackingIntervalMillisecond":
          ParameterValues.trackingInterval(milliseconds: row.input)
        case "refreshIntervalMinute": ParameterValues.refreshInterval(minutes: row.input)
        default: ParameterValues.timeout(milliseconds: row.input)
        }
      #expect(effective.value == .milliseconds(row.effectiveMs), "\(row)")
      let factor = row.parameter == "refreshIntervalMinute" ? 60_000 : 1
      let isChanged = row.input.map { $0 < 1 || Int64($0 * factor) != row.effectiveMs } ?? false
      #expect((effective.warning != nil) == isChanged, "\(row)")
      if let warning = effective.warning { #expect(warning.contains(row.parameter)) }
    }
  }

  @Test("the activity interval: off, default, floor")
  func activity() {
    #expect(ParameterValues.activityInterval(milliseconds: nil).value == .seconds(60))
    #expect(ParameterValues.activityInterval(milliseconds: 0).value == nil)
    #expect(ParameterValues.activityInterval(milliseconds: 0).warning == nil)
    for small in [-1, 1, 20_000, 59_999] {
      #expect(ParameterValues.activityInterval(milliseconds: small).value == .seconds(60))
      #expect(ParameterValues.activityInterval(milliseconds: small).warning != nil)
    }
    #expect(ParameterValues.activityInterval(milliseconds: 60_001).value == .milliseconds(60_001))
  }

  @Test("data expire after a positive number of minutes, else never")
  func expiration() {
    #expect(ParameterValues.dataExpiration(minutes: nil) == nil)
    #expect(ParameterValues.dataExpiration(minutes: 0) == nil)
    #expect(ParameterValues.dataExpiration(minutes: -5) == nil)
    #expect(ParameterValues.dataExpiration(minutes: 2) == .seconds(120))
  }

  @Test("the largest numbers do not overflow")
  func extremes() {
    #expect(ParameterValues.refreshInterval(minutes: .max).value > .zero)
    #expect(ParameterValues.dataExpiration(minutes: .max) != nil)
    #expect(ParameterValues.trackingInterval(milliseconds: .min).value == .seconds(1))
    #expect(ParameterValues.timeout(milliseconds: .max).value > .zero)
  }
}
