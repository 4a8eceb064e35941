// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import Foundation
import Testing

@testable import kameleoonClient

@Suite("Remote data", .timeLimit(.minutes(1)))
struct RemoteTests {
  /// The answer of the recordings, shortened.
  private static let answer = """
    {"currentVisit":{"timeStarted":1699990000000,"timeLastEvent":1699990900000,
      "visitorCode":"remote-code",
      "customDataEvents":[{"time":1,"data":{"index":1,"valuesCountMap":{"old":1}}},
        {"time":2,"data":{"index":1,"valuesCountMap":{"gold":1,"silver":2}}},
        {"time":3,"data":{"index":4,"valuesCountMap":{"A":1}}},{"time":4,"data":17}],
      "experimentEvents":[{"time":5,"data":{"id":7001,"variationId":70012}},
        {"time":6,"data":{"id":7001,"variationId":70011}}],
      "personalizationEvents":[{"time":7,"data":{"id":8101,"variationId":81011}}],
      "conversionEvents":[{"time":8,"data":{"goalId":33,"revenue":12.5,"negative":false}},
        {"time":9,"data":{"goalId":34}}],
      "geolocationEvents":[{"time":10,"data":{"country":"France","city":"Rennes"}},
        {"time":11,"data":{"country":"France","city":"Caen"}}],
      "staticDataEvent":{"time":12,"data":{"visitNumber":4,"deviceType":"TABLET"}}},
     "previousVisits":[{"timeStarted":1699900000000,"timeLastEvent":1699900600000,
       "customDataEvents":[{"time":13,"data":{"index":5,"valuesCountMap":{"five":1}}}]},
      {"timeStarted":1699800000000}],
     "kcs":{"101":{"33":75}},"cbs":{"7001":{"70011":0.4,"70012":0.9}}}
    """

  @Test("CL 4.1.0, 4.8.0: visitor data are merged into the record; what is here wins")
  func merging() async throws {
    let bench = Bench()
    let client = try await bench.readyClient()
    await bench.tick(untilTracking: 1)
    client.addData(track: false, [CustomData(index: 1, values: "local"), Device.desktop])
    bench.platform.answer(.visitorData, .json(Self.answer))
    let filter = Types.RemoteVisitorDataFilter(
      previousVisitAmount: 99, conversions: true, experiments: true, geolocation: true, kcs: true,
      personalization: true, cbs: true)
    let data = try await client.getRemoteVisitorData(filter: filter, addData: true)
    let url = bench.platform.requests(.visitorData)[0].url
    #expect(
      url.hasSuffix(
        "/visit/visitor?siteCode=tstsite001&visitorCode=visitor-1&maxNumberPreviousVisits=25"
          + "&version=0&staticData=true&kcs=true&currentVisit=true&customData=true"
          + "&conversion=true&geolocation=true&experiment=true&personalization=true&cbs=true"))
    #expect(data.compactMap { ($0 as? CustomData)?.id } == [4, 1, 5])
    #expect(data.compactMap { ($0 as? kameleoonClient.Conversion)?.goalId } == [33, 34])
    #expect(data.compactMap { ($0 as? kameleoonClient.Geolocation)?.city } == ["Caen"])
    let record = client.slot.record
    let profile = try #require(record.profile)
    #expect(profile.customDatum(at: 1)?.values == ["local"])
    #expect(profile.customDatum(at: 4)?.isSent == false)
    #expect(profile.customDatum(at: 5)?.isSent == true)
    #expect(profile.device == .desktop)
    #expect(record.assignments[7001]?.variationID == 70011)
    #expect(record.mappingIdentifier == "remote-code")
    // CL 4.27.0: conditions on visits see the times and visits of the answer.
    #expect(profile.previousVisits?.count == 2)
    // CL 4.4.0, 4.12.0: likelihood to convert and bandit scores.
    #expect(profile.keyMomentScores[101]?[33] == 75)
    #expect(profile.banditScores?.groups(of: 7001) == [[70012], [70011]])
    client.flush(instant: true)
    await bench.platform.untilRequests(.tracking, 2)
    #expect(bench.eventTypes == ["customData"])
    #expect(bench.platform.lines.last?["valuesCountMap"] == #"{"A":1}"#)
    #expect(bench.platform.lines.compactMap { $0["visitNumber"] } == ["0", "4"])
    await client.close()
  }

  @Test("CL 4.7.0: the visitor code of the platform is taken over, also without adding the data")
  func visitorCode() async throws {
    let bench = Bench()
    let client = try await bench.readyClient()
    bench.platform.answer(.visitorData, .json(Self.answer))
    _ = try await client.getRemoteVisitorData(
      filter: Types.RemoteVisitorDataFilter(visitorCode: false), addData: false)
    #expect(client.slot.record.mappingIdentifier == nil)
    _ = try await client.getRemoteVisitorData(filter: .default, addData: false)
    #expect(client.slot.record.mappingIdentifier == "remote-code")
    #expect(client.slot.record.profile?.customDatum(at: 1) == nil)
    await client.close()
  }

  @Test("CL 4.3.0: a unique identifier asks by mapping value")
  func uniqueIdentifier() async throws {
    let bench = Bench()
    bench.platform.answer(.visitorData, .json("{}"))
    let client = try await bench.readyClient(
      "user 42", KameleoonClientConfig(isUniqueIdentifier: true))
    #expect(try await client.getRemoteVisitorData(filter: .default, addData: true).isEmpty)
    #expect(bench.platform.requests(.visitorData)[0].url.contains("&mappingValue=user%2042&"))
    await client.close()
  }

  @Test("CL 4.1.0: failures and unreadable answers are failures, once, without a retry")
  func failures() async throws {
    let bench = Bench()
    let client = try await bench.readyClient()
    for answer: FakePlatform.Answer in [.status(500), .status(403), .lost, .json("[]"), .json("{")]
    {
      bench.platform.answer(.visitorData, answer)
      let results = Recorder<Bool>()
      client.getRemoteVisitorData(filter: .default, addData: true) { result in
        results.add((try? result.get()) == nil)
      }
      await eventually { results.count == 1 }
      #expect(results.values == [true])
    }
    #expect(bench.platform.requests(.visitorData).count == 5)
    for answer: FakePlatform.Answer in [.status(404), .status(403), .status(200), .lost] {
      bench.platform.answer(.remoteData, answer)
      await #expect(throws: RemoteDataError.self) {
        try await client.getRawRemoteData(key: "key")
      }
    }
    await client.close()
  }

  @Test("CL 2.0.15, 4.0.0: remote data by key, or by visitor code; decoded or as they are")
  func remoteData() async throws {
    struct Value: Decodable, Equatable { let size: Int }
    let bench = Bench()
    let client = try await bench.readyClient()
    bench.platform.answer(.remoteData, .json(#"{"size": 3}"#))
    let value: Value = try await client.getRemoteData(key: "a key/1")
    #expect(value == Value(size: 3))
    #expect(try await client.getRawRemoteData(key: "") == Data(#"{"size": 3}"#.utf8))
    let urls = bench.platform.requests(.remoteData).map(\.url)
    #expect(urls[0].hasSuffix("/map/map?siteCode=tstsite001&key=a%20key%2F1"))
    #expect(urls[1].hasSuffix("&key=visitor-1"))
    await #expect(throws: DecodingError.self) {
      let _: [Int] = try await client.getRemoteData(key: "x")
    }
    await client.close()
  }

  @Test("CL 3.1.0: audiences of a warehouse become custom data, which are reported")
  func warehouse() async throws {
    let bench = Bench()
    let client = try await bench.readyClient()
    await bench.tick(untilTracking: 1)
    bench.platform.script(
      .remoteData, .json(#"{"warehouseAudiences":{"big spender":true,"newsletter":1}}"#),
      .json("{}"), .status(500))
    let first = try await client.getVisitorWarehouseAudience(
      warehouseKey: "wh key", customDataIndex: 10)
    #expect(first == CustomData(index: 10, values: "big spender", "newsletter"))
    client.flush(instant: true)
    await bench.platform.untilRequests(.tracking, 2)
    #expect(bench.events.last?["valuesCountMap"] == #"{"big spender":1,"newsletter":1}"#)
    _ = try await client.getVisitorWarehouseAudience(warehouseKey: "", customDataIndex: 10)
    client.flush(instant: true)
    await bench.platform.untilRequests(.tracking, 3)
    #expect(bench.events.last?["valuesCountMap"] == "{}")
    await #expect(throws: RemoteDataError.self) {
      try await client.getVisitorWarehouseAudience(warehouseKey: "", customDataIndex: 10)
    }
    await client.close()
  }

  @Test("CL 4.10.0: cancelling a task cancels its transfer, and nothing is added")
  func cancellation() async throws {
    let bench = Bench()
    let client = try await bench.readyClient()
    bench.platform.hold(.visitorData)
    bench.platform.answer(.visitorData, .json(Self.answer))
    let task = Task { try await client.getRemoteVisitorData(filter: .default, addData: true) }
    await bench.platform.untilRequests(.visitorData, 1)
    await eventually { bench.platform.heldCount == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bench.platform.heldCount == 0)
    #expect(client.slot.record.profile?.customDatum(at: 1) == nil)
    await client.close()
  }

  @Test("closing a client ends its remote calls, each told once")
  func closing() async throws {
    let bench = Bench()
    let client = try await bench.readyClient()
    bench.platform.hold(.remoteData)
    let results = Recorder<Bool>()
    for _ in 0..<10 {
      client.getRemoteData(key: "k") { (result: Result<Data, any Error>) in
        results.add((try? result.get()) == nil)
      }
    }
    await bench.platform.untilRequests(.remoteData, 10)
    await client.close()
    #expect(results.values == Array(repeating: true, count: 10))
    client.getRemoteData(key: "k") { (_: Result<Data, any Error>) in results.add(true) }
    #expect(results.count == 11)
    await #expect(throws: RemoteDataError.self) { try await client.getRawRemoteData(key: "k") }
  }

  @Test("CL 3.0.0, 3.0.6: tokens with credentials only; a rejected one is followed by none")
  func tokens() async throws {
    let bench = Bench()
    bench.platform.answer(.token, .json(#"{"access_token":"T1","expires_in":7200}"#))
    bench.platform.answer(.remoteData, .json("1"))
    let plain = try await bench.readyClient()
    _ = try await plain.getRawRemoteData(key: "k")
    #expect(bench.platform.requests(.token).isEmpty)
    #expect(bench.platform.requests(.remoteData)[0].headers["Authorization"] == nil)
    await plain.close()
    let client = try await bench.readyClient(
      "visitor-1", KameleoonClientConfig(clientId: "id", clientSecret: "secret"))
    bench.platform.script(.remoteData, .status(401), .json("2"))
    #expect(try await client.getRawRemoteData(key: "k") == Data("2".utf8))
    let headers = bench.platform.requests(.remoteData).map { $0.headers["Authorization"] }
    #expect(headers == [nil, "Bearer T1", nil])
    #expect(bench.platform.requests(.config).allSatisfy { $0.headers["Authorization"] == nil })
    await client.close()
  }
}
