// SPDX-License-Identifier: Apache-2.0

import AnoleBenchCore
import AnoleModels
import AnoleNetworking
import AnoleRemoteFlags
import AnoleStorage

/// R1: a remote flag and one of its values out of 500 flags, beside a look-up in a plain dictionary.
struct RemoteFlagWorkload {
  private static let count = 500

  let options: Options

  func run() async throws(BenchmarkError) -> [Measurement] {
    let keys = (0..<Self.count).map { "feature_flag_number_\($0)" }
    let client = RemoteFlagsClient(
      RemoteFlagsConfiguration(
        applicationCode: "BENCH-MARK1", store: InMemoryStorage(),
        transport: FlagAnswer(body: Array(Self.answer(keys).text().utf8))))
    do throws(RemoteFlagsError) {
      try await client.refresh()
    } catch {
      throw BenchmarkError("the flags did not arrive: \(error)")
    }
    guard client.flags.count == Self.count else { throw BenchmarkError("flags are missing") }
    var sum = 0.0
    let reads = try options.sample { (index) throws(BenchmarkError) in
      let flag = client.get(keys[index % Self.count])
      sum += flag?.number(forProperty: "max_items", default: -1) ?? -1
    }
    let dictionary = Dictionary(uniqueKeysWithValues: zip(keys, (0..<Self.count).map(Double.init)))
    var control = 0.0
    let lookUps = try options.sample { (index) throws(BenchmarkError) in
      control += dictionary[keys[index % Self.count]] ?? -1
    }
    guard sum > 0, control > 0 else { throw BenchmarkError("nothing was read") }
    await client.shutdown()
    return [
      Measurement(metric: "get_number", unit: "ns/op", samples: reads, check: "\(Self.count)"),
      Measurement(metric: "dictionary", unit: "ns/op", samples: lookUps, check: "\(Self.count)"),
    ]
  }

  private static func answer(_ keys: [String]) -> JSONValue {
    let flags = keys.enumerated().map { position, key -> JSONValue in
      [
        "key": .string(key), "enabled": .bool(position.isMultiple(of: 2)),
        "rule_id": .string("r_\(position)"),
        "properties": [
          "button_color": "green", "max_items": .number(.integer(Int64(position))), "express": true,
        ],
      ]
    }
    return [
      "status_code": 200, "status_message": "OK",
      "response": ["flags": .array(flags), "partial": false],
    ]
  }
}

/// Every request gets the same answer.
private struct FlagAnswer: HTTPTransport {
  let body: [UInt8]

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: body)
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    let (stream, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
    continuation.yield(body)
    continuation.finish()
    return HTTPStream(status: 200, headers: ["Content-Type": "application/json"], body: stream)
  }
}
