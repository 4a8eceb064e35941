// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleNetworking
import Testing

@Suite("HTTP: statuses and conditions", .timeLimit(.minutes(2)))
struct StatusTests {
  @Test("Retry-After in seconds and as a date is honoured", arguments: [429, 503])
  func retryAfter(_ status: Int) async throws {
    // Twenty seconds before the date below.
    let now = WallClock { 1_764_000_000_000 - 20_000 }
    try await withTransport { emulator, transport async throws in
      let forms = ["7", "Mon, 24 Nov 2025 16:00:00 GMT", "3600"]
      for form in forms {
        emulator.addFault(
          .status(status, headers: [HeaderField("Retry-After", form)]), on: .tracking)
      }
      var delays: [Duration?] = []
      for _ in forms {
        let response = try await transport.send(emulator.trackingRequest("nonce=1"))
        #expect(response.status == status)
        delays.append(RetryAfter.delay(of: response, now: now))
      }
      #expect(delays == [.seconds(7), .seconds(20), .seconds(60)])
    }
  }

  @Test("tracking is sent again after five seconds, with the same body")
  func retried() async throws {
    let clock = ManualClock()
    try await withTransport { emulator, transport async throws in
      emulator.addFault(.status(500), on: .tracking)
      let sender = RequestSender(transport: transport, clock: clock)
      async let response = sender.send(emulator.trackingRequest("nonce=1"), policy: .tracking)
      await clock.untilSleeping()
      #expect(emulator.requests().count == 1)
      clock.advance(by: .seconds(5))
      let status = try await response.status
      #expect(status == 204)
      #expect(emulator.requests().map(\.text) == ["nonce=1", "nonce=1"])
      #expect(emulator.acceptedEvents.count == 1)
    }
  }
}

@Suite("HTTP: conditional fetch", .timeLimit(.minutes(2)))
struct ConditionTests {
  private func fetch(
    _ emulator: Emulator, _ transport: CurlTransport, validators: CacheValidators?
  ) async throws -> ConditionalFetch.Outcome<String> {
    let fetcher = ConditionalFetch(transport: transport)
    return try await fetcher.fetch(emulator.dataFileRequest(), validators: validators) {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private func changed(
    _ outcome: ConditionalFetch.Outcome<String>
  ) throws -> (text: String, validators: CacheValidators) {
    guard case .changed(let text, let validators) = outcome else {
      throw WireError(message: "the document was not sent")
    }
    return (text, validators)
  }

  @Test("field case 6: 304 to the entity tag of the copy is a success, the next tag a change")
  func notModified() async throws {
    try await withTransport { emulator, transport async throws in
      emulator.setDataFile(#"{"flag": 1}"#, entityTag: "\"r1\"")
      let first = try changed(try await fetch(emulator, transport, validators: nil))
      #expect(first.validators.entityTag == "\"r1\"")
      guard
        case .unchanged = try await fetch(emulator, transport, validators: first.validators)
      else {
        Issue.record("304 changes nothing")
        return
      }
      emulator.setDataFile(#"{"flag": 2}"#, entityTag: "\"r2\"")
      let third = try changed(
        try await fetch(emulator, transport, validators: first.validators))
      #expect(third.text == #"{"flag": 2}"#)
      #expect(third.validators.entityTag == "\"r2\"")
      #expect(
        emulator.requests().map { $0.header("If-None-Match") } == [nil, "\"r1\"", "\"r1\""])
      #expect(emulator.requests().map(\.status) == [200, 304, 200])
      #expect(emulator.requests().allSatisfy { $0.header("ETag") == nil })
    }
  }

  @Test("field case 7: the text of Last-Modified goes back unchanged, and only with a copy")
  func lastModified() async throws {
    try await withTransport { emulator, transport async throws in
      let first = try changed(try await fetch(emulator, transport, validators: nil))
      _ = try await fetch(emulator, transport, validators: first.validators)
      // The copy was deleted.
      let again = try changed(try await fetch(emulator, transport, validators: nil))
      #expect(again.text == Bodies.file)
      #expect(
        emulator.requests().map { $0.header("If-Modified-Since") } == [nil, Bodies.date, nil])
    }
  }

  @Test("field case 7: 304 without a condition is one unconditional retry, then an error")
  func notModifiedWithoutCopy() async throws {
    try await withTransport { emulator, transport async throws in
      emulator.addFault(.status(304), on: .dataFile)
      let recovered = try changed(try await fetch(emulator, transport, validators: nil))
      #expect(recovered.text == Bodies.file)
      emulator.addFault(.status(304), on: .dataFile, times: 2)
      let error = await #expect(throws: ConditionalFetchError.self) {
        try await fetch(emulator, transport, validators: nil)
      }
      #expect(error?.code == .notModifiedWithoutCopy)
      #expect(error?.message == "not modified without stored copy")
      #expect(emulator.requests().count == 4)
      #expect(emulator.requests().allSatisfy { $0.header("If-None-Match") == nil })
      #expect(emulator.requests().allSatisfy { $0.header("If-Modified-Since") == nil })
    }
  }
}
