// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking
import Testing

@testable import kameleoonClient

@Suite("What a client sends", .timeLimit(.minutes(1)))
struct SendingTests {
  @Test("the first request of a visit has device, system and visits; exposures follow the calls")
  func firstVisit() async throws {
    let bench = Bench()
    let client = try await bench.readyClient()
    _ = try client.getVariation(featureKey: "ff_experiment", track: true)
    await bench.tick(untilTracking: 1)
    let lines = bench.platform.lines
    #expect(
      lines.map { $0["eventType"] } == ["staticData", "staticData", "staticData", "experiment"])
    #expect(lines[0]["deviceType"] == "PHONE")
    #expect(lines[1]["os"] == "IOS")
    #expect(lines[1]["osIndex"] == "2")
    #expect(lines[2]["visitNumber"] == "0")
    #expect(lines[3]["variationId"] == "70011")
    #expect(lines.allSatisfy { $0["visitorCode"] == "visitor-1" })
    await client.close()
  }

  @Test("a user and the anonymous visitor share one record, also after a restart")
  func linked() async throws {
    let bench = Bench()
    let anonymous = try await bench.readyClient("anonymous-1")
    anonymous.addData([
      CustomData(index: 3, values: "user-42"), CustomData(index: 1, values: "gold"),
    ])

    await anonymous.close()
    let later = Bench(after: bench)
    let user = try await later.readyClient(
      "user-42", KameleoonClientConfig(isUniqueIdentifier: true))
    #expect(user.slot.record.mappingIdentifier == "anonymous-1")
    #expect(user.slot.record.profile?.customDatum(at: 1)?.values == ["gold"])
    user.flush(instant: true)
    await later.platform.untilRequests(.tracking, 1)
    // What was handed over under the anonymous code still leaves under it.
    let own = later.platform.lines.filter { $0["mappingValue"] == "user-42" }
    #expect(own.map { $0["mappingIdentifier"] } == ["true"])
    #expect(!later.platform.lines.contains { $0["visitorCode"] == "user-42" })
    await user.close()
  }
}
