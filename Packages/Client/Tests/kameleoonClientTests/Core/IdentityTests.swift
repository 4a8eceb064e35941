// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleEvaluation
import AnoleModels
import AnoleNetworking
import Testing

@testable import kameleoonClient

@Suite("Visitor codes and links", .timeLimit(.minutes(1)))
struct IdentityTests {
  @Test("CL 4.0.0: a generated code is kept until another one is passed, which takes its place")
  func generated() async throws {
    let bench = Bench()
    bench.platform.hold(.config)
    let first = try bench.client(nil)
    let code = first.visitorCode
    #expect(code.count == 16)
    #expect(code.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789".contains($0) })
    #expect(try bench.client(nil) === first)
    await first.close()
    let second = Bench(after: bench)
    second.platform.hold(.config)
    let again = try second.client(nil)
    #expect(again.visitorCode == code)
    let other = try second.client("anna")
    #expect(try second.client(nil) === other)
    await again.close()
    await other.close()
    let third = Bench(after: second)
    third.platform.hold(.config)
    let last = try third.client(nil)
    #expect(last.visitorCode == "anna")
    await last.close()
  }

  @Test("CL 2.0.9, 2.0.10: codes have 1 to 255 characters; a space is one")
  func validation() async throws {
    let bench = Bench()
    bench.platform.hold(.config)
    for code in ["", String(repeating: "x", count: 256), String(repeating: "é", count: 256)] {
      #expect(throws: KameleoonError.visitorCodeInvalid(code)) { try bench.client(code) }
    }
    for code in [" ", String(repeating: "x", count: 255), String(repeating: "é", count: 255)] {
      let client = try bench.client(code)
      #expect(client.visitorCode == code)
      await client.close()
    }
    #expect(throws: KameleoonError.siteCodeIsEmpty) { try bench.client(siteCode: "") }
  }

  @Test("field case 4: a composed and a decomposed é are two visitors everywhere")
  func bytes() async throws {
    let bench = Bench()
    let composed = try await bench.readyClient("\u{E9}t\u{E9}")
    let decomposed = try await bench.readyClient("e\u{301}te\u{301}")
    #expect(composed !== decomposed)
    composed.addData([CustomData(index: 1, values: "gold")])
    #expect(decomposed.slot.record.profile?.customDatum(at: 1) == nil)
    await bench.tick(untilTracking: 1)
    let codes = Set(bench.platform.lines.compactMap { $0["visitorCode"].map { Array($0.utf8) } })
    #expect(codes.count == 2)
    await composed.close()
    await decomposed.close()
    let later = Bench(after: bench)
    let next = try await later.readyClient("e\u{301}te\u{301}")
    #expect(next.slot.record.profile?.customDatum(at: 1) == nil)
    await next.close()
  }

  @Test(
    "CL 4.7.0: the mapping identifier is sent with every request, and both codes are one visitor")
  func mapping() async throws {
    let bench = Bench()
    let anonymous = try await bench.readyClient("anonymous-1")
    let user = try await bench.readyClient(
      "user-42", KameleoonClientConfig(isUniqueIdentifier: true))
    #expect(anonymous.engine === user.engine)
    user.addData([CustomData(index: 1, values: "lost by the link")])
    anonymous.addData([
      CustomData(index: 3, values: "user-42"), CustomData(index: 4, values: "kept"),
    ])
    #expect(user.slot.record.profile?.customDatum(at: 1) == nil)
    #expect(user.slot.record.profile?.customDatum(at: 4)?.values == ["kept"])
    user.setLegalConsent(true)
    #expect(anonymous.slot.record.consent == .given)
    await bench.tick(untilTracking: 1)
    for request in 2...3 {
      user.flush(instant: false)
      await bench.tick(untilTracking: request)
    }
    let marked = bench.platform.lines.filter { $0["mappingIdentifier"] == "true" }
    #expect(Set(marked.compactMap { $0["nonce"] }).count == marked.count)
    #expect(bench.platform.lines.suffix(2).map { $0["mappingValue"] } == ["user-42", "user-42"])
    // The variation does not change at login.
    #expect(anonymous.variationKey("ff_experiment") == user.variationKey("ff_experiment"))
    await anonymous.close()
    await user.close()
  }

  @Test("CL 4.7.0: the link is known at the next start, to clients of either code")
  func persistentLink() async throws {
    let bench = Bench()
    let anonymous = try await bench.readyClient("anonymous-1")
    anonymous.addData([
      CustomData(index: 3, values: "user-42"), CustomData(index: 4, values: "kept"),
    ])
    await anonymous.close()
    let later = Bench(after: bench)
    let user = try await later.readyClient(
      "user-42", KameleoonClientConfig(isUniqueIdentifier: true))
    let again = try await later.readyClient("anonymous-1")
    #expect(user.slot.current === again.slot.current)
    #expect(user.slot.record.mappingIdentifier == "anonymous-1")
    again.addData([CustomData(index: 1, values: "new")])
    #expect(user.slot.record.profile?.customDatum(at: 1)?.values == ["new"])
    await user.close()
    await again.close()
  }

  @Test(
    "CL 4.3.0: a unique identifier without link is linked to itself, and keeps its visitor code")
  func selfLink() async throws {
    let bench = Bench()
    let user = try await bench.readyClient(
      "user-42", KameleoonClientConfig(isUniqueIdentifier: true))
    await bench.tick(untilTracking: 1)
    #expect(bench.platform.lines.allSatisfy { $0["visitorCode"] == "user-42" })
    #expect(bench.platform.lines.filter { $0["mappingIdentifier"] == "true" }.count == 1)
    await user.close()
    let other = Bench()
    let unmapped = try await other.readyClient(
      "user-42", KameleoonClientConfig(isUniqueIdentifier: true), file: "base-no-mapping")
    await other.tick(untilTracking: 1)
    #expect(other.platform.lines.allSatisfy { $0["mappingValue"] == "user-42" })
    await unmapped.close()
  }

  @Test("links in a circle end: each code has a record, and nothing waits for ever")
  func circle() async throws {
    let bench = Bench()
    let clients = try await withThrowingTaskGroup(of: Client.self) { group in
      for code in ["a", "b", "c"] { group.addTask { try await bench.readyClient(code) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    await withTaskGroup(of: Void.self) { group in
      for round in 0..<50 {
        for client in clients {
          group.addTask {
            client.addData([CustomData(index: 3, values: ["a", "b", "c"][round % 3])])
            _ = client.variationKey("ff_experiment")
          }
        }
      }
    }
    let record = clients[0].slot.record
    #expect(record.mappingIdentifier != nil)
    for client in clients { await client.close() }
  }

  @Test("CL 4.15.0: a custom bucketing key hashes, and the visitor code is tracked")
  func bucketing() async throws {
    let file = DataFileText(
      customData: #"[{"id":77,"index":5,"name":"company"}]"#,
      flags: [DataFileText.flag("flag", extra: #","bucketingCustomDataId":77"#)]
    ).text
    let bench = Bench()
    let client = try await bench.client(file: file)
    client.addData([CustomData(index: 5, values: "acme")])
    let trace = try #require(try client.decision(featureKey: "flag").trace)
    #expect(trace.hashKey == "acme")
    _ = try client.getVariation(featureKey: "flag", track: true)
    await bench.tick(untilTracking: 1)
    #expect(bench.platform.lines.allSatisfy { $0["visitorCode"] == "visitor-1" })
    await client.close()
  }

  @Test("CL 4.0.0: data expire one by one, sent or not, also over a restart; consent does not")
  func expiry() async throws {
    let config = KameleoonClientConfig(dataExpirationIntervalMinute: 1)
    let file = DataFileText.when(
      #""targetingType":"CUSTOM_DATUM","customDataIndex":"1","valueMatchType":"EXACT","value":"gold""#
    )
    let bench = Bench()
    let client = try await bench.client("visitor-1", config, file: file)
    client.addData([CustomData(index: 1, values: "gold")])
    client.setLegalConsent(true)
    #expect(client.variationKey("flag") == "on")
    bench.wall.advance(by: .seconds(60))
    #expect(client.variationKey("flag") == "on")
    bench.wall.advance(by: .milliseconds(1))
    #expect(client.variationKey("flag") == "off")
    // What has expired is not sent any more; the device stays known.
    await bench.tick(untilTracking: 1)
    #expect(!bench.platform.lines.contains { $0["eventType"] == "customData" })
    client.addData([CustomData(index: 1, values: "gold")])
    await client.close()
    bench.wall.advance(by: .seconds(61))
    let later = Bench(after: bench)
    let next = try await later.client("visitor-1", config, file: file)
    #expect(next.variationKey("flag") == "off")
    #expect(next.slot.record.consent == .given)
    #expect(next.slot.record.profile?.device == .phone)
    await next.close()
  }
}
