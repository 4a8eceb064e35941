// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleStorage
import Testing

@testable import AnoleRemoteFlags

@Suite("Where requests go (section 1.10)")
struct AddressTests {
  private static let standard = "https://A1B2C-D3E4F.api.pushwoosh.com/json/1.3/getFeatureFlags"

  @Test("RF-91: a base_url of a successful answer is used for later requests and remembered")
  func told() async {
    let rig = Rig(
      ScriptedServer { _ in .flags(TestFlag("a"), baseURL: " https://node7.example/json/1.3\n") }
    ) { $0.disablesThrottle = true }
    await rig.refresh()
    rig.server.answer { _ in .flags(TestFlag("a")) }
    await rig.refresh()
    rig.client.logImpression("a")
    await rig.settle()
    rig.relaunch()
    await rig.refresh()
    rig.relaunch { $0.baseURL = "https://other.example/json/1.3/" }
    await rig.refresh()
    #expect(
      rig.server.calls.map(\.request.url) == [
        Self.standard, "https://node7.example/json/1.3/getFeatureFlags",
        "https://node7.example/json/1.3/postEvent",
        "https://node7.example/json/1.3/getFeatureFlags",
        "https://other.example/json/1.3/getFeatureFlags",
      ])
  }

  @Test(
    "RF-91: one that is no valid http(s) URL is not used",
    arguments: [
      "", " ", "node7.example/json/1.3/", "ftp://node7.example/json/1.3/", "https://",
      "https:///json/1.3/", "https://node7 .example/json/1.3/", "https://n\u{e9}.example/json/1.3/",
      "https://user@node7.example/json/1.3/", "https://node7.example/json/1.3/?x",
      "https://:80/json/1.3/",
    ])
  func notValid(_ text: String) async {
    let rig = Rig(ScriptedServer { _ in .flags(baseURL: text) }) { $0.disablesThrottle = true }
    await rig.refresh()
    await rig.refresh()
    #expect(rig.server.calls.map(\.request.url) == [Self.standard, Self.standard])
  }

  @Test("RF-91: not from a failed answer, not while a proxy is set, and not across applications")
  func notTold() async {
    let base = "https://node7.example/json/1.3/"
    let failed = Rig(
      ScriptedServer { _ in
        .answer(500, Array(#"{"status_code":500,"base_url":"\#(base)"}"#.utf8))
      })
    await failed.refresh()
    await failed.refresh()
    #expect(failed.server.calls.map(\.request.url) == [Self.standard, Self.standard])

    let proxied = Rig(ScriptedServer { _ in .flags(baseURL: base) }) {
      $0.disablesThrottle = true
      $0.reverseProxy = ReverseProxy(url: "https://proxy.example/json/1.3/")
    }
    await proxied.refresh()
    proxied.client.setReverseProxy(nil)
    await proxied.refresh()
    #expect(
      proxied.server.calls.map(\.request.url)
        == ["https://proxy.example/json/1.3/getFeatureFlags", Self.standard])

    proxied.client.setApplicationCode("ZZZZZ-ZZZZZ")
    await proxied.settle()
    #expect(
      proxied.server.calls.last?.request.url
        == "https://ZZZZZ-ZZZZZ.api.pushwoosh.com/json/1.3/getFeatureFlags")
  }

  @Test("RF-91: the answers of other calls tell a base URL as well")
  func toldByOthers() async {
    let rig = Rig(
      ScriptedServer { call in
        call.isForFlags
          ? .flags()
          : .json(#"{"status_code":200,"response":null,"base_url":"https://n8.example/json/1.3/"}"#)
      }
    ) { $0.disablesThrottle = true }
    rig.client.setUserID("user-43")
    await rig.settle()
    await rig.refresh()
    #expect(rig.server.calls.last?.request.url == "https://n8.example/json/1.3/getFeatureFlags")
  }

  @Test("RF-91: one that cannot serve flags is used for other calls only")
  func toldWithoutFlags() async {
    let rig = Rig(
      ScriptedServer {
        $0.isForFlags ? .flags(TestFlag("a"), baseURL: "https://n9.example") : .done
      }
    ) { $0.disablesThrottle = true }
    await rig.refresh()
    await rig.refresh()
    rig.client.logImpression("a")
    await rig.settle()
    #expect(
      rig.server.calls.map(\.request.url) == [
        Self.standard, Self.standard, "https://n9.example/postEvent",
      ])
  }

  @Test(
    "RF-92: flags are asked for only from a base that ends in json/1.3/",
    arguments: [
      ("https://proxy.example/pw/json/1.3", "https://proxy.example/pw/json/1.3/getFeatureFlags"),
      ("https://proxy.example/json/1.3/", "https://proxy.example/json/1.3/getFeatureFlags"),
      ("https://proxy.example/pushwoosh", nil), ("https://proxy.example/json/1.4/", nil),
      ("https://proxy.example/json/1.3/x/", nil), ("no url", nil),
    ] as [(String, String?)])
  func suffix(_ base: String, _ url: String?) async {
    for isProxy in [true, false] {
      let rig = Rig(ScriptedServer { _ in .flags() }) {
        if isProxy { $0.reverseProxy = ReverseProxy(url: base) } else { $0.baseURL = base }
      }
      await rig.activate()
      rig.client.registeredForPush()
      await rig.advance(3_600)
      await rig.refresh()
      #expect(Set(rig.server.calls.map(\.request.url)) == Set(url.map { [$0] } ?? []))
    }
  }

  @Test("RF-92: while the proxy cannot serve flags, every flag falls back to its default")
  func fallsBack() async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a")) })
    await rig.refresh()
    rig.client.setReverseProxy(ReverseProxy(url: "https://proxy.example/"))
    #expect(rig.client.get("a") == nil)
    #expect(rig.client.isEnabled("a", default: true))
    #expect(await rig.refresh() == 0)
    rig.client.setReverseProxy(nil)
    #expect(rig.client.get("a") != nil)
  }

  @Test("RF-93: proxy headers are added, those of the library win, unusable ones are left out")
  func headers() async throws {
    let rig = Rig(ScriptedServer { _ in .flags() }) {
      $0.reverseProxy = ReverseProxy(
        url: "https://proxy.example/json/1.3/",
        headers: [
          "X-Auth-Token": "p", "authorization": "Token stolen", "CONTENT-TYPE": "text/plain",
          "Content-Length": "0", "X-Bad": "a\r\nb", "": "x",
        ])
    }
    await rig.refresh()
    let headers = try #require(rig.server.calls.first?.request.headers)
    #expect(headers["X-Auth-Token"] == "p")
    #expect(headers.values(of: "Authorization") == ["Token test-token"])
    #expect(headers.values(of: "Content-Type") == ["application/json; charset=utf-8"])
    #expect(headers["Content-Length"] == nil && headers["X-Bad"] == nil)
    #expect(headers.fields.count == 3)
    #expect(rig.log.reports.map(\.code) == [.configuration])
  }

  @Test("RF-94: an app extension never sends a flag request")
  func appExtension() async {
    let rig = Rig(ScriptedServer { _ in .flags() }) { $0.isAppExtension = true }
    rig.put(TestFlag("a"))
    rig.relaunch()
    await rig.activate()
    #expect(await rig.refresh() == 0)
    rig.client.registeredForPush()
    rig.client.setUserID("user-43")
    await rig.advance(3_600)
    rig.client.wentToBackground()
    await rig.advance(1_800)
    await rig.activate()
    #expect(rig.server.flagCalls.isEmpty)
  }

  @Test("RF-95: while communication is stopped nothing is sent; starting sends what was missed")
  func stopped() async {
    let rig = Rig(ScriptedServer { $0.isForFlags ? .flags(TestFlag("a")) : .done })
    rig.put(TestFlag("a"))
    rig.relaunch()
    rig.client.stopServerCommunication()
    #expect(!rig.client.isServerCommunicationAllowed)
    await rig.activate()
    rig.client.logImpression("a")
    rig.client.setUserID("user-43")
    #expect(await rig.refresh() == 0)
    await rig.advance(4_000)
    #expect(rig.server.calls.isEmpty)
    rig.client.startServerCommunication()
    await rig.settle()
    #expect(rig.server.calls.map(\.method).sorted() == ["getFeatureFlags", "registerUser"])
    rig.client.stopServerCommunication()
    rig.client.startServerCommunication()
    await rig.settle()
    #expect(rig.server.calls.count == 2)
  }

  @Test("RF-95: in the background the missed request waits for the foreground")
  func stoppedInBackground() async {
    let rig = Rig(ScriptedServer { _ in .flags() })
    rig.client.stopServerCommunication()
    await rig.activate()
    rig.client.wentToBackground()
    rig.client.startServerCommunication()
    await rig.settle()
    #expect(rig.server.calls.isEmpty)
    await rig.activate()
    #expect(rig.server.calls.count == 1)
  }

  @Test("RF-96: URL, headers and token are those of the moment a request is sent")
  func lateSettings() async {
    let rig = Rig(ScriptedServer { _ in .answer(503, [], ["Retry-After": "60"]) })
    await rig.activate()
    // Due now, but it has to wait for the server's minute.
    rig.client.registeredForPush()
    rig.client.setAPIToken("new-token")
    rig.client.setReverseProxy(
      ReverseProxy(url: "https://proxy.example/json/1.3/", headers: ["X-New": "1"]))
    rig.server.answer { _ in .flags() }
    await rig.advance(60)
    #expect(rig.server.calls.count == 2)
    let request = rig.server.calls.last?.request
    #expect(request?.url == "https://proxy.example/json/1.3/getFeatureFlags")
    #expect(request?.headers["Authorization"] == "Token new-token")
    #expect(request?.headers["X-New"] == "1")
  }

  @Test("RF-97: without an API token there is no Authorization", arguments: [nil, ""] as [String?])
  func noToken(_ token: String?) async {
    let rig = Rig(ScriptedServer { _ in .flags() }) { $0.apiToken = token }
    await rig.refresh()
    #expect(rig.server.calls.first?.request.headers["Authorization"] == nil)
    #expect(rig.server.calls.count == 1)
  }

  @Test("an application code with other characters than letters, digits and hyphens is refused")
  func applicationCodes() async {
    for code in ["A.B", "", "a/b", "caf\u{e9}", "a b", String(repeating: "a", count: 64), "x@y"] {
      let rig = Rig { $0.applicationCode = code }
      #expect(rig.client.applicationCode == nil)
      #expect(rig.log.reports.map(\.code) == [.configuration])
      rig.client.setApplicationCode(code)
      #expect(rig.client.applicationCode == nil)
    }
  }
}
