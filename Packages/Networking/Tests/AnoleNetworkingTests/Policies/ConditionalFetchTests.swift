// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleNetworking
import Testing

@Suite("Conditional fetch")
struct ConditionalFetchTests {
  private struct Unreadable: Error {}

  private let request = HTTPRequest(url: "https://config.example/v3/site")

  private func fetch(
    _ transport: ScriptedTransport, validators: CacheValidators? = nil
  ) async throws(ConditionalFetchError) -> ConditionalFetch.Outcome<String> {
    let fetcher = ConditionalFetch(transport: transport, clock: ManualClock())
    return try await fetcher.fetch(request, validators: validators) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.hasSuffix("}") else { throw Unreadable() }
      return text
    }
  }

  private func code(
    _ transport: ScriptedTransport, validators: CacheValidators? = nil
  ) async -> ConditionalFetchError.Code? {
    do {
      _ = try await fetch(transport, validators: validators)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("field case 6: 304 is a success that leaves the copy, with the entity tag of the copy")
  func notModified() async throws {
    let transport = ScriptedTransport([
      .json(#"{"flag":1}"#, ["ETag": "\"r1\""]), .status(304),
      .json(#"{"flag":2}"#, ["ETag": "\"r2\""]),
    ])
    guard case .changed(let first, let validators) = try await fetch(transport) else {
      Issue.record("the first answer is new")
      return
    }
    #expect(first == #"{"flag":1}"#)
    guard case .unchanged = try await fetch(transport, validators: validators) else {
      Issue.record("304 changes nothing")
      return
    }
    guard case .changed(let third, let next) = try await fetch(transport, validators: validators)
    else {
      Issue.record("the third answer is new")
      return
    }
    #expect(third == #"{"flag":2}"#)
    #expect(next.entityTag == "\"r2\"")
    let tags = transport.requests.map { $0.headers["If-None-Match"] }
    #expect(tags == [nil, "\"r1\"", "\"r1\""])
  }

  @Test("field case 7: conditions have their right names and go out only with a copy")
  func conditions() async throws {
    let validators = CacheValidators(lastModified: "Mon, 24 Nov 2025 16:00:00 GMT", entityTag: "e")
    let transport = ScriptedTransport([.status(304), .json(#"{"a":1}"#)])
    _ = try await fetch(transport, validators: validators)
    // The copy was deleted: its validators are not handed out any more.
    _ = try await fetch(transport, validators: nil)
    let names = transport.requests.map { $0.headers.fields.map(\.name) }
    #expect(names == [["If-Modified-Since", "If-None-Match"], []])
  }

  @Test("field case 7: 304 without a condition is an error and one unconditional retry")
  func notModifiedWithoutCopy() async throws {
    let recovered = ScriptedTransport([.status(304), .json(#"{"a":1}"#)])
    guard case .changed = try await fetch(recovered) else {
      Issue.record("the retry brings the document")
      return
    }
    let stubborn = ScriptedTransport(statuses: 304, 304, 304)
    #expect(await code(stubborn) == .notModifiedWithoutCopy)
    #expect(stubborn.requests.count == 2)
    #expect(stubborn.requests.allSatisfy { $0.headers.fields.isEmpty })
    let empty = CacheValidators(lastModified: "", entityTag: nil)
    #expect(await code(ScriptedTransport(statuses: 304, 304), validators: empty) != nil)
  }

  @Test("a 403 is a failure without a second attempt")
  func forbidden() async {
    let transport = ScriptedTransport([.status(403), .json(#"{"a":1}"#)])
    #expect(await code(transport) == .forbidden)
    #expect(transport.requests.count == 1)
  }

  @Test("what is no document is a failure, twice")
  func noDocument() async {
    let html: HTTPHeaders = ["Content-Type": "text/html; charset=utf-8"]
    let rows: [(Result<HTTPResponse, HTTPError>, ConditionalFetchError.Code)] = [
      (
        .success(HTTPResponse(status: 200, headers: html, body: Array(#"{"a":1}"#.utf8))),
        .wrongContentType
      ),
      (.json("{}"), .emptyDocument), (.json(" {\n} "), .emptyDocument), (.json(""), .emptyDocument),
      (.json("[1]"), .emptyDocument), (.json("null"), .emptyDocument),
      (.json("<html>"), .emptyDocument), (.json(#"{"a":"#), .unreadable),
      (.status(404), .refused), (.status(500), .refused), (.status(100), .refused),
      (.lost(), .failed),
    ]
    for (answer, expected) in rows {
      let transport = ScriptedTransport([answer, answer, .json(#"{"a":1}"#)])
      #expect(await code(transport) == expected)
      #expect(transport.requests.count == 2)
    }
  }

  @Test("a document is taken with any JSON type, with a byte order mark, and without a type")
  func documents() async throws {
    let types = [
      "application/json", "Application/JSON ; charset=UTF-8", "text/json", "a/b+json", nil,
    ]
    for type in types {
      let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
      let body = Array("\u{FEFF} {\"a\":1}".utf8)
      let transport = ScriptedTransport([
        .success(HTTPResponse(status: 200, headers: headers, body: body))
      ])
      guard case .changed(_, let validators) = try await fetch(transport) else {
        Issue.record("\(type ?? "nil")")
        continue
      }
      #expect(validators.isEmpty)
    }
  }

  @Test("a cancelled fetch is not tried again")
  func cancelled() async {
    let error = HTTPError(code: .cancelled, message: "cancelled")
    let transport = ScriptedTransport([.failure(error), .json(#"{"a":1}"#)])
    #expect(await code(transport) == .cancelled)
    #expect(transport.requests.count == 1)
  }
}
