// SPDX-License-Identifier: Apache-2.0

import AnoleWireRecordings
import Testing

/// A recorded scenario, replayed with one change.
struct Alteration: Sendable, CustomTestStringConvertible {
  let name: String
  let recording: String
  /// A part of what is found wrong; nil if the change is tolerated.
  let finding: String?
  let change: @Sendable (inout [SentRequest]) -> Void

  init(
    _ name: String, in recording: String, finds finding: String?,
    _ change: @escaping @Sendable (inout [SentRequest]) -> Void
  ) {
    self.name = name
    self.recording = recording
    self.finding = finding
    self.change = change
  }

  var testDescription: String { "\(name) (\(finding == nil ? "tolerated" : "caught"))" }
}

private func line(_ text: String, _ placeholder: String) -> String {
  "nonce=\(FaithfulClient.nonce(placeholder))&\(text)"
}

let lineAlterations: [Alteration] = [
  Alteration("parameters in another order", in: "track_conversions", finds: nil) {
    $0[1].replace("goalId=102&revenue=19.99", with: "revenue=19.99&goalId=102")
  },
  Alteration("a number in another form", in: "track_conversions", finds: nil) {
    $0[1].replace("revenue=10.0", with: "revenue=10")
  },
  Alteration("a number with an exponent", in: "track_conversions", finds: "no plain decimal") {
    $0[1].replace("revenue=10.0", with: "revenue=1e1")
  },
  Alteration("another number", in: "track_conversions", finds: "expected \"19.99\"") {
    $0[1].replace("revenue=19.99", with: "revenue=19.98")
  },
  Alteration("a missing parameter", in: "track_conversions", finds: "negative is missing") {
    $0[1].replace("&negative=true", with: "")
  },
  Alteration("a parameter too many", in: "track_conversions", finds: "x=1 was not expected") {
    $0[1].replace("goalId=102", with: "goalId=102&x=1")
  },
  Alteration("a parameter twice", in: "track_conversions", finds: "has \"goalId\" twice") {
    $0[1].replace("goalId=102", with: "goalId=102&goalId=102")
  },
  Alteration("a missing line", in: "track_conversions", finds: "missing line: conversion") {
    $0[1].lines.removeLast()
  },
  Alteration("a line too many", in: "track_conversions", finds: "unexpected line: conversion") {
    $0[1].lines.append(
      line("eventType=conversion&goalId=7&revenue=0&negative=false&visitorCode=visitor-1", "x"))
  },
  Alteration("lines of one kind in another order", in: "track_conversions", finds: nil) {
    $0[1].lines.swapAt(2, 3)
  },
  Alteration("kinds in another order", in: "track_coalescing", finds: "experiment comes after") {
    $0[1].lines.swapAt(1, 3)
  },
  Alteration("JSON with keys in another order", in: "track_custom_data", finds: nil) {
    $0[1].replace(
      "%7B%22a%22%3A1%2C%22b%20c%22%3A1%7D", with: "%7B%22b%20c%22%3A1%2C%22a%22%3A1%7D")
  },
  Alteration(
    "JSON with characters instead of escapes", in: "track_custom_data_special_characters",
    finds: nil
  ) {
    $0[1].replace(
      "%5Cu00e9%20%5Cu00fc%20%5Cu6f22%20%5Cud83d%5Cude00",
      with: "%C3%A9%20%C3%BC%20%E6%BC%A2%20%F0%9F%98%80")
  },
  Alteration("another value in JSON", in: "track_custom_data", finds: "valuesCountMap: expected") {
    $0[1].replace("%22silver%22", with: "%22golden%22")
  },
  Alteration("broken JSON", in: "track_custom_data", finds: "valuesCountMap is no JSON") {
    $0[1].replace("%7B%22silver%22%3A1%7D", with: "%7B%22silver%22%3A1")
  },
  Alteration("metadata in another order", in: "track_conversion_metadata", finds: "metadata") {
    $0[1].replace("%5B%22a%22%2C%22b%22%5D", with: "%5B%22b%22%2C%22a%22%5D")
  },
  Alteration("a plus sign for a space", in: "track_custom_data", finds: "valuesCountMap") {
    $0[1].replace("b%20c", with: "b+c")
  },
  Alteration("a broken escape", in: "track_custom_data", finds: "hexadecimal digits") {
    $0[1].replace("b%20c", with: "b%2")
  },
  Alteration("another visitor", in: "track_exposure_interval", finds: "missing line") {
    $0[1].replace("visitor-1", with: "visitor-2")
  },
  Alteration("mappingValue for visitorCode", in: "track_exposure_interval", finds: "missing line") {
    $0[1].replace("visitorCode=", with: "mappingValue=")
  },
  Alteration("visitors in another order", in: "batch_three_visitors", finds: nil) {
    let lines = $0[1].lines
    $0[1].lines = [lines[2], lines[3], lines[0], lines[1]]
  },
  Alteration("another kind of event", in: "track_exposure_interval", finds: "event type") {
    $0[1].replace("eventType=experiment", with: "eventType=EXPERIMENT")
  },
  Alteration("an empty line", in: "track_conversions", finds: "has no nonce") {
    $0[1].body += "\n"
  },
]

let nonceAlterations: [Alteration] = [
  Alteration("other nonces", in: "track_conversions", finds: nil) {
    $0[1].replace(FaithfulClient.nonce("{NONCE_2}"), with: "0123456789ABCDEF")
  },
  Alteration("a nonce in lower case", in: "track_conversions", finds: "not 16 characters") {
    $0[1].replace(FaithfulClient.nonce("{NONCE_2}"), with: "0123456789abcdef")
  },
  Alteration("a short nonce", in: "track_conversions", finds: "not 16 characters") {
    $0[1].replace(FaithfulClient.nonce("{NONCE_2}"), with: "0123456789ABCDE")
  },
  Alteration("a nonce twice in a request", in: "track_conversions", finds: "occurs twice") {
    $0[1].replace(
      FaithfulClient.nonce("{NONCE_2}"), with: FaithfulClient.nonce("{NONCE_3}"))
  },
  Alteration("no nonce", in: "track_conversions", finds: "has no nonce") {
    $0[1].replace("nonce=\(FaithfulClient.nonce("{NONCE_2}"))&", with: "")
  },
  Alteration(
    "a new nonce for an event sent again", in: "failure_retry_within_request", finds: "changed from"
  ) {
    $0[2].replace(FaithfulClient.nonce("{NONCE_2}"), with: "0123456789ABCDEF")
  },
  Alteration(
    "a used nonce for another event", in: "track_geolocation_partial", finds: "used before"
  ) {
    $0[2].replace(
      FaithfulClient.nonce("{NONCE_2}"), with: FaithfulClient.nonce("{NONCE_1}"))
  },
  Alteration(
    "a used nonce for an equal new event", in: "track_exposure_repeated", finds: "used before"
  ) {
    $0[2].replace(
      FaithfulClient.nonce("{NONCE_2}"), with: FaithfulClient.nonce("{NONCE_1}"))
  },
  Alteration(
    "a repeated body with its lines in another order", in: "failure_probe_mode",
    finds: "body of the repeated request changed"
  ) { $0[2].lines.swapAt(0, 1) },
]

let extraAlterations: [Alteration] = [
  Alteration("a detected device and system", in: "track_exposure_interval", finds: nil) {
    let first = line("eventType=staticData&deviceType=PHONE&visitorCode=visitor-1", "d")
    $0[1].lines.insert(first + "&userAgent=App%2F1%20(Model%3B%20System%201)", at: 0)
    $0[1].lines.insert(
      line("eventType=staticData&os=IOS&osIndex=2&visitorCode=visitor-1", "o"), at: 1)
    $0[1].lines[2].removeLast("&userAgent=App%2F1%20(Model%3B%20System%201)".count)
  },
  Alteration("a detected system sent twice", in: "track_exposure_repeated", finds: "was sent again")
  {
    for index in 1...2 {
      let system = line("eventType=staticData&os=IOS&osIndex=2&visitorCode=visitor-1", "o\(index)")
      $0[index].lines.insert(system + "&userAgent=App%2F1%20(Model%3B%20System%201)", at: 0)
      $0[index].lines[1].removeLast("&userAgent=App%2F1%20(Model%3B%20System%201)".count)
    }
  },
  Alteration("the visit in place of an activity line", in: "track_activity_event", finds: nil) {
    $0[1].replace(
      "eventType=activity", with: "eventType=staticData&visitNumber=0&timeSincePreviousVisit=0")
  },
  Alteration("a browser", in: "track_exposure_interval", finds: "unexpected line: staticData") {
    let first = line("eventType=staticData&browserIndex=3&visitorCode=visitor-1", "b")
    $0[1].lines.insert(first + "&userAgent=App%2F1%20(Model%3B%20System%201)", at: 0)
    $0[1].lines[1].removeLast("&userAgent=App%2F1%20(Model%3B%20System%201)".count)
  },
  Alteration("an activity event at the start", in: "track_exposure_interval", finds: nil) {
    var start = $0[1]
    start.body =
      line("eventType=activity&visitorCode=visitor-1", "a")
      + "&userAgent=App%2F1%20(Model%3B%20System%201)"
    $0.insert(start, at: 1)
  },
  Alteration("an activity event at the end", in: "track_exposure_interval", finds: nil) {
    var end = $0[1]
    end.body =
      line("eventType=activity&visitorCode=visitor-1", "a")
      + "&userAgent=App%2F1%20(Model%3B%20System%201)"
    $0.append(end)
  },
  Alteration(
    "an activity line beside others", in: "track_exposure_interval", finds: "has other lines"
  ) { $0[1].lines.append(line("eventType=activity&visitorCode=visitor-1", "a")) },
  Alteration("a stranger's activity", in: "track_exposure_interval", finds: "more than recorded") {
    var other = $0[1]
    other.body =
      line("eventType=activity&visitorCode=stranger", "a")
      + "&userAgent=App%2F1%20(Model%3B%20System%201)"
    $0.append(other)
  },
  Alteration("the exposure twice", in: "track_exposure_interval", finds: "more than recorded") {
    var again = $0[1]
    again.replace(FaithfulClient.nonce("{NONCE_1}"), with: "0123456789ABCDEF")
    $0.append(again)
  },
  Alteration("a conditional fetch after a reconnect", in: "sse_reconnect", finds: nil) {
    var fetch = $0[0]
    fetch.set("If-Modified-Since", "Mon, 24 Nov 2025 16:00:00 GMT")
    $0.append(fetch)
  },
  Alteration("two fetches after a reconnect", in: "sse_reconnect", finds: "more than recorded") {
    var fetch = $0[0]
    fetch.set("If-Modified-Since", "Mon, 24 Nov 2025 16:00:00 GMT")
    $0 += [fetch, fetch]
  },
  Alteration("a plain fetch after a reconnect", in: "sse_reconnect", finds: "more than recorded") {
    $0.append($0[0])
  },
  Alteration("a fetch without a reconnect", in: "sse_update_304", finds: "more than recorded") {
    var fetch = $0[0]
    fetch.set("If-Modified-Since", "Mon, 24 Nov 2025 16:00:00 GMT")
    $0.append(fetch)
  },
]

let requestAlterations: [Alteration] = [
  Alteration("another host", in: "remote_data", finds: "host: expected data.kameleoon.io") {
    $0[1].url = $0[1].url.replacing("data.kameleoon.io", with: "data.kameleoon.eu")
  },
  Alteration("the standard port", in: "remote_data", finds: nil) {
    $0[1].url = $0[1].url.replacing("data.kameleoon.io", with: "data.kameleoon.io:443")
  },
  Alteration("another port", in: "sse_update", finds: "port: expected 8110") {
    $0[1].url = $0[1].url.replacing(":8110", with: "")
  },
  Alteration("another scheme", in: "remote_data", finds: "scheme: expected https") {
    $0[1].url = $0[1].url.replacing("https:", with: "http:")
  },
  Alteration("another path", in: "config_fetch_fresh", finds: "path: expected /v3/tstsite001") {
    $0[0].url = $0[0].url.replacing("tstsite001", with: "tstsite002")
  },
  Alteration("a path that nobody knows", in: "config_fetch_fresh", finds: "has no such path") {
    $0[0].url = $0[0].url.replacing("/v3/", with: "/v4/")
  },
  Alteration("another method", in: "config_fetch_fresh", finds: "method: expected GET") {
    $0[0].method = "POST"
  },
  Alteration("parameters of the query in another order", in: "sse_update_environment", finds: nil) {
    $0[2].url = $0[2].url.replacing(
      "environment=development&ts=1764000999000", with: "ts=1764000999000&environment=development")
  },
  Alteration("a slash that is not encoded", in: "config_fetch_environment_encoded", finds: nil) {
    $0[0].url = $0[0].url.replacing("%2F", with: "/")
  },
  Alteration("a missing parameter", in: "sse_update", finds: "query: ts=1764000123456 is missing") {
    $0[2].url = $0[2].url.replacing("?ts=1764000123456", with: "")
  },
  Alteration("another value", in: "sse_update", finds: "query: ts: expected") {
    $0[2].url = $0[2].url.replacing("ts=1764000123456", with: "ts=1764000123457")
  },
  Alteration("a parameter too many", in: "remote_data", finds: "x=1 was not expected") {
    $0[1].url += "&x=1"
  },
  Alteration("a missing header", in: "sse_update", finds: "header If-Modified-Since") {
    $0[2].set("If-Modified-Since", nil)
  },
  Alteration("another header value", in: "config_fetch_304", finds: "header If-Modified-Since") {
    $0[1].set("If-Modified-Since", "Mon, 24 Nov 2025 17:00:00 GMT")
  },
  Alteration("a header too many", in: "config_fetch_fresh", finds: "was not expected") {
    $0[0].set("Authorization", "Bearer TOKEN_A")
  },
  Alteration("a header name in lower case", in: "config_fetch_304", finds: nil) {
    $0[1].set("If-Modified-Since", nil)
    $0[1].set("if-modified-since", "Mon, 24 Nov 2025 16:00:00 GMT")
  },
  Alteration("compression", in: "track_exposure_interval", finds: nil) {
    $0[1].set("Content-Encoding", "gzip")
  },
  Alteration("no user agent", in: "config_fetch_fresh", finds: "User-Agent is missing") {
    $0[0].set("User-Agent", nil)
  },
  Alteration("a bot's user agent", in: "config_fetch_fresh", finds: "taken for a bot") {
    $0[0].set("User-Agent", "curl/8.0")
  },
  Alteration("another user agent on a line", in: "track_exposure_interval", finds: "userAgent of") {
    $0[1].replace("App%2F1", with: "App%2F2")
  },
  Alteration("no user agent on a line", in: "track_exposure_interval", finds: "got none") {
    $0[1].replace("&userAgent=App%2F1%20(Model%3B%20System%201)", with: "")
  },
  Alteration("the user agent on every line", in: "track_conversions", finds: "expected none") {
    $0[1].lines = $0[1].lines.map { line in
      line.contains("userAgent") ? line : line + "&userAgent=App%2F1%20(Model%3B%20System%201)"
    }
  },
  Alteration("another SDK name later on", in: "config_fetch_304", finds: "name of the SDK changed")
  {
    $0[1].set("X-Kameleoon-SDK-Type", "OTHER")
  },
  Alteration("a version with a prefix", in: "config_fetch_fresh", finds: "major.minor.patch") {
    $0[0].set("X-Kameleoon-SDK-Version", "v1.2.3")
  },
  Alteration("another body", in: "token_fetch_and_reuse", finds: "body: expected") {
    $0[1].body = "grant_type=password"
  },
  Alteration("a body where there is none", in: "remote_data", finds: "was not expected") {
    $0[1].body = "x"
  },
]

let orderAlterations: [Alteration] = [
  Alteration("a missing request", in: "remote_data", finds: "remoteData request 3 of 3 did not") {
    $0.removeLast()
  },
  Alteration("a request too many", in: "remote_data", finds: "one request more than recorded") {
    $0.append($0[3])
  },
  Alteration("requests in another order", in: "config_network_domain", finds: "order:") {
    $0.swapAt(1, 2)
  },
  Alteration("a background token before the request", in: "token_background_refresh", finds: nil) {
    $0.swapAt(3, 4)
  },
  Alteration("a token after the request", in: "token_short_lived", finds: "order:") {
    $0.swapAt(3, 4)
  },
]

let timeAlterations: [Alteration] = [
  Alteration("a retry 4.1 s later", in: "failure_429", finds: nil) {
    $0[2].moment = $0[1].moment + .milliseconds(4_100)
  },
  Alteration("a retry 3.9 s later", in: "failure_429", finds: "3900 ms after exchange 1") {
    $0[2].moment = $0[1].moment + .milliseconds(3_900)
  },
  Alteration("a retry 6.5 s later", in: "failure_429", finds: "6500 ms after exchange 1") {
    $0[2].moment = $0[1].moment + .milliseconds(6_500)
  },
  Alteration("a reconnect after 3.6 s", in: "sse_reconnect", finds: nil) {
    $0[2].moment = $0[1].moment + .milliseconds(3_600)
  },
  Alteration("a reconnect after 1 s", in: "sse_reconnect", finds: "1000 ms after exchange 1") {
    $0[2].moment = $0[1].moment + .milliseconds(1_000)
  },
  Alteration("an attempt without token at once", in: "token_rejected_twice_on_tracking", finds: nil)
  {
    $0[5].moment = $0[4].moment + .milliseconds(100)
  },
  Alteration(
    "an attempt without token after a pause", in: "token_rejected_twice_on_tracking",
    finds: "1000 ms after exchange 4"
  ) { $0[5].moment = $0[4].moment + .milliseconds(1_000) },
  Alteration("a poll at the interval", in: "config_fetch_two_failures_then_poll", finds: nil) {
    $0[2].moment = $0[0].moment + .seconds(60)
  },
  Alteration(
    "a poll long before the interval", in: "config_fetch_two_failures_then_poll",
    finds: "30000 ms after exchange 0"
  ) { $0[2].moment = $0[0].moment + .seconds(30) },
  Alteration("probing with the next interval", in: "failure_probe_mode", finds: nil) {
    for index in 3...4 { $0[index].moment += .milliseconds(900) }
  },
  Alteration("probing much later", in: "failure_probe_mode", finds: "5000 ms after exchange 2") {
    $0[3].moment = $0[2].moment + .seconds(5)
  },
]

@Suite("Comparing exchanges")
struct AlterationTests {
  static let all =
    lineAlterations + nonceAlterations + extraAlterations + requestAlterations + orderAlterations
    + timeAlterations

  @Test("an altered exchange is caught or tolerated", arguments: all)
  func alteration(_ alteration: Alteration) throws {
    let recording = try RecordingFolder.recording(alteration.recording)
    var requests = FaithfulClient.requests(recording)
    alteration.change(&requests)
    let found = try findings(requests, in: recording)
    guard let expected = alteration.finding else {
      #expect(found == [])
      return
    }
    let first = try #require(found.first)
    #expect(first.contains(expected), "\(first)")
  }

  @Test("every recording agrees with itself")
  func faithful() throws {
    for name in try RecordingFolder.names() {
      let recording = try RecordingFolder.recording(name)
      let found = try findings(FaithfulClient.requests(recording), in: recording)
      #expect(found == [], "\(name)")
    }
  }

  @Test("visitors of pooled exchanges may change places, but none may be missing")
  func pool() throws {
    let recording = try RecordingFolder.recording("failure_probe_mode")
    var requests = FaithfulClient.requests(recording)
    let (probe, rest) = (requests[3].lines, requests[4].lines)
    // The other visitor is probed first.
    requests[3].lines = [rest[1]]
    requests[4].lines = [rest[0], probe[0]]
    #expect(try findings(requests, in: recording, pool: [3, 4]) == [])
    #expect(try findings(requests, in: recording).isEmpty == false)
    // Two are probed at once.
    requests[3].lines = rest
    requests[4].lines = probe
    let found = try findings(requests, in: recording, pool: [3, 4])
    #expect(found.first?.contains("expected lines of 1 of the visitors") == true)
    // One is probed twice, another one never travels.
    requests[3].lines = [rest[1]]
    requests[4].lines = [rest[0], rest[1]]
    #expect(try findings(requests, in: recording, pool: [3, 4]).isEmpty == false)
  }
}
