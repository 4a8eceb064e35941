// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleStorage
import Testing

@testable import AnoleRemoteFlags

@Suite("Errors (section 1.8)")
struct ErrorTests {
  /// A rig with a stored flag `kept`, which every failure has to leave in force.
  private func rig(_ reply: ScriptedServer.Reply) -> Rig {
    let rig = Rig(ScriptedServer { _ in reply })
    rig.put(TestFlag("kept"), age: 7_200)
    rig.relaunch()
    return rig
  }

  private func expect(_ number: Int?, _ reply: ScriptedServer.Reply, _ what: String = "") async {
    let rig = rig(reply)
    #expect(await rig.refresh() == number, "\(what)")
    if number != nil {
      #expect(rig.client.flags.map(\.key) == ["kept"], "\(what)")
      #expect(rig.log.listenerCalls == 0)
    }
  }

  @Test("RF-68: every error carries a readable description")
  func descriptions() async {
    for reply in [.failure(.timedOut), .answer(500, []), .answer(200, [])] as [ScriptedServer.Reply]
    {
      let rig = rig(reply)
      let message = Lock("")
      rig.client.refresh { error in message.withLock { $0 = error?.message ?? "" } }
      await rig.settle()
      #expect(message.withLock { $0.count } > 20)
    }
  }

  static let transportCodes: [HTTPError.Code] = [
    .resolveFailed, .connectFailed, .tlsFailed, .timedOut, .cancelled, .connectionLost,
    .invalidRequest, .malformedAnswer, .other,
  ]

  @Test("RF-69: code 0 without an HTTP answer", arguments: transportCodes)
  func noAnswer(_ code: HTTPError.Code) async {
    await expect(0, .failure(code))
  }

  @Test("RF-69: code 0 when the request was not sent")
  func notSent() async {
    let adjustments: [(inout RemoteFlagsConfiguration) -> Void] = [
      { $0.isAppExtension = true }, { $0.allowsServerCommunication = false },
      { $0.applicationCode = nil }, { $0.applicationCode = "A.B" },
      { $0.reverseProxy = ReverseProxy(url: "https://proxy.example/x/") },
      { $0.baseURL = "https://example.com/" }, { $0.baseURL = "no url" },
    ]
    for adjust in adjustments {
      let rig = Rig(ScriptedServer { _ in .flags() }, adjust)
      #expect(await rig.refresh() == 0)
      #expect(rig.server.calls.isEmpty)
    }
  }

  @Test(
    "RF-70: any other status is the code, whatever the body is",
    arguments: [
      201, 202, 204, 206, 299, 301, 302, 304, 400, 401, 403, 404, 429, 500, 502, 503, 599,
    ])
  func statuses(_ status: Int) async {
    let good = Array(#"{"status_code":200,"response":{"flags":[]}}"#.utf8)
    await expect(status, .answer(status, good))
    await expect(status, .answer(status, Array("<html>".utf8)))
    await expect(status, .answer(status, []))
  }

  @Test(
    "RF-71: code 200 for an answer with status 200 that cannot be used",
    arguments: [
      "", " ", "<html><body>Sign in</body></html>", "not json", "[]", "null", "true", "200",
      #"{"status_code":200,"response":{"flags":[]}"#,
      #"{"status_code":200,"response":{"flags":[]}} x"#,
      #"{"status_code":200,"response":{"flags":[],}}"#, #"{'status_code':200}"#,
      "\u{feff}<x/>", #"{"status_code":200,"response":{"flags":[01]}}"#,
    ])
  func unusable(_ text: String) async {
    await expect(200, .json(text), text)
  }

  @Test(
    "RF-71: bytes that are not UTF-8 make the answer unusable; a lone surrogate escape does not")
  func utf8() async {
    var bytes = Array(#"{"status_code":200,"response":{"flags":[]},"x":"#.utf8)
    bytes += [0x22, 0xff, 0x22, 0x7d]
    await expect(200, .answer(200, bytes))
    let rig = rig(.flags(TestFlag("a", #"{"s":"\ud800"}"#)))
    #expect(await rig.refresh() == nil)
    #expect(rig.client.get("a")?.string(forProperty: "s", default: nil) == "\u{fffd}")
  }

  @Test("RF-72: a transfer that breaks after the status line reports that status")
  func broken() async {
    await expect(200, .broken(200, Array(#"{"status_code":200"#.utf8)))
    await expect(200, .broken(200, Array(#"{"status_code":200,"response":{"flags":[]}}"#.utf8)))
    await expect(503, .broken(503, []))
  }

  @Test(
    "RF-73: status_code has to be the number 200",
    arguments: [
      (#""status_code":200,"#, nil), (#""status_code":200.0,"#, nil),
      (#""status_code":"200","#, 200),
      (#""status_code":403,"#, 200), (#""status_code":null,"#, 200), (#""status_code":true,"#, 200),
      (#""status_code":[200],"#, 200), (#""Status_Code":200,"#, 200), ("", 200),
      (#""status_code":210,"status_code":200,"#, nil),
    ] as [(String, Int?)])
  func statusCode(_ member: String, _ number: Int?) async {
    await expect(number, .json(#"{\#(member)"response":{"flags":[]}}"#), member)
  }

  @Test(
    "RF-74: response has to be an object with an array flags",
    arguments: [
      "", #","response":null"#, #","response":[]"#, #","response":{}"#,
      #","response":{"flags":null}"#, #","response":{"flags":{}}"#, #","response":{"flags":"x"}"#,
    ])
  func response(_ member: String) async {
    await expect(200, .json(#"{"status_code":200\#(member)}"#), member)
  }

  @Test("RF-75: after any failure the visible set is what it was")
  func visibleAfterFailure() async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a"), TestFlag("b")) })
    await rig.refresh()
    await rig.advance(300)
    rig.server.answer { _ in .flags(TestFlag("b", false), partial: true) }
    await rig.refresh()
    let before = rig.client.flags
    for reply in [.failure(.timedOut), .answer(500, []), .json("x"), .broken(200, [])]
      as [ScriptedServer.Reply]
    {
      rig.server.answer { _ in reply }
      #expect(await rig.refresh() != nil)
      #expect(rig.client.flags == before)
      await rig.advance(300)
    }
  }

  @Test(
    "RF-76: after 429 or 503 with Retry-After automatic requests wait, refresh does not",
    arguments: [429, 503])
  func retryAfter(_ status: Int) async {
    let rig = Rig(ScriptedServer { _ in .answer(status, [], ["Retry-After": "120"]) })
    await rig.activate()
    #expect(rig.server.flagCalls.count == 1)
    rig.server.answer { $0.isForFlags ? .answer(status, []) : .done }
    rig.client.registeredForPush()
    rig.client.setUserID("user-43")
    await rig.advance(119)
    #expect(rig.server.flagCalls.count == 1)
    #expect(await rig.refresh() == status)
    #expect(rig.server.flagCalls.count == 2)
    await rig.advance(1)
    #expect(rig.server.flagCalls.count == 2)
    rig.client.registeredForPush()
    await rig.settle()
    #expect(rig.server.flagCalls.count == 3)
  }

  @Test("RF-76: what was due while waiting is sent afterwards, once; the wait is an hour at most")
  func retryAfterIsPaid() async {
    let rig = Rig(
      ScriptedServer { _ in .answer(503, [], ["Retry-After": "999999999999999999999"]) })
    await rig.activate()
    rig.client.registeredForPush()
    rig.client.registeredForPush()
    rig.server.answer { _ in .flags(TestFlag("a")) }
    await rig.advance(3_599)
    #expect(rig.server.flagCalls.count == 1)
    await rig.advance(1)
    #expect(rig.server.flagCalls.count == 2)
    #expect(rig.client.get("a") != nil)
  }

  @Test("RF-76: the hour waits too, dates are read, other statuses and texts count as nothing")
  func retryAfterForms() async {
    let rig = Rig(
      ScriptedServer { _ in .answer(503, [], ["Retry-After": "Mon, 21 Sep 2026 14:33:20 GMT"]) })
    // The time of day is 14:13:20 of that day: 20 minutes.
    await rig.activate()
    await rig.advance(3_600)
    #expect(rig.server.flagCalls.count == 2)
    rig.client.registeredForPush()
    await rig.settle()
    #expect(rig.server.flagCalls.count == 3)
    for (status, text) in [(500, "100"), (503, "soon"), (503, "-5"), (503, "")] {
      let other = Rig(ScriptedServer { _ in .answer(status, [], ["Retry-After": text]) })
      await other.activate()
      other.client.registeredForPush()
      await other.settle()
      #expect(other.server.flagCalls.count == 2, "\(status) \(text)")
    }
  }

  @Test("RF-77: requests ask the transport not to follow redirects, and a redirect is its status")
  func redirects() async {
    await expect(
      302, .answer(302, [], ["Location": "https://evil.example/json/1.3/getFeatureFlags"]))
    let rig = Rig(ScriptedServer { _ in .flags() })
    await rig.refresh()
    #expect(rig.server.calls.first?.request.followsRedirects == false)
  }

  @Test("RF-78: an entry that lacks what a flag needs is skipped, the others are used")
  func damagedEntries() async {
    let entries = [
      "null", #""x""#, "[]", "5", #"{"enabled":true}"#, #"{"key":"","enabled":true,"rule_id":"r"}"#,
      #"{"key":5,"enabled":true,"rule_id":"r"}"#, #"{"key":"no_state","rule_id":"r"}"#,
      #"{"key":"int_state","enabled":1,"rule_id":"r"}"#,
      #"{"key":"text_state","enabled":"true","rule_id":"r"}"#, #"{"key":"no_rule","enabled":true}"#,
      #"{"key":"bad_rule","enabled":true,"rule_id":null}"#,
      #"{"key":"list","enabled":true,"rule_id":"r","properties":[1]}"#,
      #"{"key":"missing","enabled":false,"rule_id":"r"}"#,
      #"{"key":"good","enabled":true,"rule_id":"r_2","properties":{"a":1}}"#,
    ]
    let rig = Rig(
      ScriptedServer { _ in
        .json(#"{"status_code":200,"response":{"flags":[\#(entries.joined(separator: ","))]}}"#)
      })
    #expect(await rig.refresh() == nil)
    #expect(rig.client.flags.map(\.key) == ["good", "list", "missing"])
    #expect(rig.client.get("list")?.propertyKeys == [])
    #expect(rig.client.get("good")?.number(forProperty: "a", default: 0) == 1)
  }

  @Test("RF-79: of two entries with one key, and of two equal names, the last counts")
  func duplicates() async {
    let text = #"""
      {"status_code":500,"status_code":200,"response":null,"response":{"flags":[{"key":"z"}],"flags":[
      {"key":"d","enabled":false,"rule_id":"r_1"},
      {"key":"x","key":"d","enabled":false,"enabled":true,"rule_id":"r_1","rule_id":"r_2",
      "properties":{"a":1,"a":"last","b":1,"b":null,"c":{"m":1,"m":2},"d":1,"d":1e999}},
      {"key":"d","enabled":"damaged"}]}}
      """#
    let rig = Rig(ScriptedServer { _ in .json(text) })
    #expect(await rig.refresh() == nil)
    #expect(rig.client.flags.map(\.key) == ["d"])
    let flag = rig.client.get("d")
    #expect(flag?.isEnabled == true && flag?.ruleID == "r_2")
    #expect(flag?.string(forProperty: "a", default: nil) == "last")
    #expect(flag?.propertyKeys == ["a", "c"])
    #expect(flag?.value(forProperty: "c") == ["m": 2])
  }

  @Test("RF-80: unknown fields at any level are ignored")
  func unknownFields() async {
    let text = #"""
      {"x":[{}],"status_code":200,"response":{"y":{"flags":1},"flags":[{"z":null,"key":"a",
      "enabled":true,"rule_id":"r","properties":{"n":1},"properties_v2":{"n":2}}],"partial":false}}
      """#
    let rig = Rig(ScriptedServer { _ in .json(text) })
    #expect(await rig.refresh() == nil)
    #expect(rig.client.get("a")?.number(forProperty: "n", default: 0) == 1)
  }

  @Test("RF-81: a body above 4 MiB is refused with code 200; one of 4 MiB is read")
  func largeBodies() async {
    func body(_ size: Int) -> [UInt8] {
      let text = #"{"status_code":200,"response":{"flags":[]}}"#
      return Array(text.utf8) + [UInt8](repeating: 0x20, count: size - text.utf8.count)
    }
    await expect(nil, .answer(200, body(4 << 20)))
    await expect(200, .answer(200, body((4 << 20) + 1)))
    let rig = rig(.flags())
    await rig.refresh()
    #expect(rig.server.calls.first?.request.maximumBodySize == 4 << 20)
  }
}
