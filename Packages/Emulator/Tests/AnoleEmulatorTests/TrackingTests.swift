// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleNetworkingTesting
import Foundation
import Testing

private let target = "/visit/events?sdkName=SWIFT&sdkVersion=1.0.0&siteCode=s&bodyUa=true"

/// Posts a tracking body and returns what the emulator found in it.
private func report(_ emulator: Emulator, _ lines: String...) async throws -> TrackingReport {
  let answer = try await exchange(
    emulator.port, "POST", target, headers: ["Content-Type: */*", "Connection: close"],
    body: lines.joined(separator: "\n"))
  #expect(answer.status == 204)
  return try #require(emulator.requests(.tracking).last?.tracking)
}

private func line(_ number: Int, _ rest: String, visitor: String = "v") -> String {
  let digits = String(number, radix: 16, uppercase: true)
  let nonce = String(repeating: "0", count: 16 - digits.count) + digits
  return "nonce=\(nonce)&eventType=\(rest)&visitorCode=\(visitor)"
}

@Suite("Tracking sink")
struct TrackingTests {
  @Test("lines are split and decoded")
  func lines() async throws {
    try await withEmulator { emulator async throws in
      let report = try await report(
        emulator,
        line(1, "customData&index=1&valuesCountMap=%7B%22a%2Bb%22%3A1%7D&overwrite=true"),
        line(2, "conversion&goalId=32&revenue=10&negative=false"))
      #expect(report.findings.isEmpty)
      #expect(report.events.count == 2)
      #expect(report.events[0].nonce == "0000000000000001")
      #expect(report.events[0].eventType == "customData")
      #expect(report.events[0].visitor == "v")
      #expect(report.events[0]["valuesCountMap"] == #"{"a+b":1}"#)
      #expect(report.events[1].parameters.map(\.name).last == "visitorCode")
      #expect(emulator.acceptedEvents.count == 2)
    }
  }

  @Test("the documented order of kinds is accepted, its reverse is not; visitors are separate")
  func order() async throws {
    let kinds = [
      "staticData&deviceType=PHONE", "staticData&os=IOS&osIndex=2", "geolocation&country=F",
      "staticData&visitNumber=1&timeSincePreviousVisit=0", "customData&index=1", "page&href=x",
      "experiment&id=1&variationId=2", "targetingSegment&id=3", "conversion&goalId=4",
    ]
    try await withEmulator { emulator async throws in
      let forward = kinds.enumerated().map { line($0, $1) }.joined(separator: "\n")
      #expect(try await report(emulator, forward).findings.isEmpty)
      let wrong = try await report(
        emulator, line(20, kinds[8]), line(21, kinds[6]),
        line(22, kinds[0], visitor: "other"), line(23, "activity", visitor: "third"))
      #expect(wrong.findings.map(\.kind) == [.order])
      #expect(wrong.findings.map(\.line) == [2])
    }
  }

  @Test("what the protocol does not allow is found, line by line")
  func findings() async throws {
    try await withEmulator { emulator async throws in
      let report = try await report(
        emulator, line(1, "activity"), line(1, "experiment"), "nonce=abc&eventType=x&a=%zz", "",
        "nonce=00000000000000FF&eventType=page&mappingValue=m")
      #expect(
        report.findings.map { "\($0.line) \($0.kind)" } == [
          "1 activityNotAlone", "2 duplicateNonce", "3 malformedLine", "3 malformedNonce",
          "3 unknownEventType", "3 missingVisitor", "4 malformedLine", "4 malformedNonce",
          "4 unknownEventType", "4 missingVisitor",
        ])
    }
  }

  @Test("a nonce may come again after a failure, but not after it was accepted")
  func repeatedNonce() async throws {
    try await withEmulator { emulator async throws in
      emulator.addFault(.status(500), on: .tracking)
      let body = line(7, "activity")
      #expect(
        try await exchange(emulator.port, "POST", target, body: body).status == 500)
      #expect(try await report(emulator, body).findings.isEmpty)
      #expect(try await report(emulator, body).findings.map(\.kind) == [.duplicateNonce])
      #expect(emulator.acceptedEvents.count == 1)
      #expect(emulator.requests(.tracking).map(\.isFaulted) == [true, false, false])
    }
  }

  @Test("a gzip body is decoded; the journal keeps both")
  func gzip() async throws {
    let text = line(1, "activity")
    let compressed = try await onThread {
      try runTool("gzip", ["-c"], input: Array(text.utf8))
    }
    try await withEmulator { emulator async throws in
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(
        requestBytes("POST", target, headers: ["Content-Encoding: gzip"], body: compressed))
      #expect(try await wire.answer().status == 204)
      let request = try #require(emulator.requests(.tracking).first)
      #expect(request.body == compressed)
      #expect(request.text == text)
      #expect(request.tracking?.events.first?.eventType == "activity")
    }
  }

  @Test("a body that does not decode is refused and still recorded", arguments: ["gzip", "br"])
  func notGzip(encoding: String) async throws {
    try await withEmulator { emulator async throws in
      let answer = try await exchange(
        emulator.port, "POST", target, headers: ["Content-Encoding: \(encoding)"], body: "plain")
      #expect(answer.status == 400)
      let request = try #require(emulator.requests(.tracking).first)
      #expect(request.decodedBody == nil)
      #expect(request.tracking == nil)
      #expect(request.text == "plain")
    }
  }

  @Test("a body over the limit is answered with 413, the limit itself is not, nor does a bomb pass")
  func hugeBody() async throws {
    let bomb = try await onThread {
      try runTool("gzip", ["-c"], input: [UInt8](repeating: 0, count: 2 << 20))
    }
    try await withEmulator(Emulator(maximumBodyBytes: 1 << 20)) { emulator async throws in
      func status(_ body: [UInt8], _ headers: String...) async throws -> Int? {
        let wire = try await Wire.connect(emulator.port)
        try await wire.write(requestBytes("POST", target, headers: headers, body: body))
        return try await wire.answer().status
      }
      let limit = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
      #expect(try await status(limit) == 204)
      #expect(try await status(limit + limit) == 413)
      #expect(emulator.requests().last?.body.count == 1 << 20)
      #expect(try await status(bomb, "Content-Encoding: gzip") == 400)
    }
  }

  @Test("a body in chunks is put together")
  func chunked() async throws {
    try await withEmulator { emulator async throws in
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(
        "POST \(target) HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "5\r\nnonce\r\n3\r\n=1&\r\n0\r\n\r\n")
      #expect(try await wire.answer().status == 204)
      #expect(emulator.requests().first?.text == "nonce=1&")
    }
  }
}
