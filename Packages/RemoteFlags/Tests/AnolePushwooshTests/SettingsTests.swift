// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking
import AnoleRemoteFlags
import Foundation
import Testing

@testable import PushwooshCore

@Suite("Settings (public API, section 5)")
struct SettingsTests {
  private static let list = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>Pushwoosh_APPID</key><string>LIST0-00000</string>
    <key>Pushwoosh_API_TOKEN</key><string>list-token</string>
    <key>Pushwoosh_FEATURE_FLAGS_DISABLE_THROTTLE</key><true/>
    <key>Pushwoosh_ALLOW_SERVER_COMMUNICATION</key><false/>
    </dict></plist>
    """

  @Test(
    "a call wins over the environment, the environment over the file, the file over the default")
  func order() throws {
    let rig = PushwooshRig()
    let path = try rig.write("settings.plist", Self.list)
    func settings(_ variables: [String: String]) -> PushwooshSettings {
      PushwooshSettings { variables[$0] }
    }
    #expect(settings([:]).text(.applicationCode) == nil)
    let file = [PushwooshSettings.fileVariable: path]
    #expect(settings(file).text(.applicationCode) == "LIST0-00000")
    let both = file.merging(["Pushwoosh_APPID": "ENVIR-00000"]) { $1 }
    #expect(settings(both).text(.applicationCode) == "ENVIR-00000")
    #expect(settings(both).text(.apiToken) == "list-token")

    let process = PushwooshRig("", both)
    #expect(process.runtime.client.applicationCode == "ENVIR-00000")
    let called = PushwooshRig("", both)
    called.runtime.setAppCode("CALL0-00000")
    #expect(called.runtime.client.applicationCode == "CALL0-00000")
  }

  @Test(
    "RF-47: the setting that lifts the limit is true for `true`, `YES`, `yes` and `1`",
    arguments: [
      ("true", 2), ("YES", 2), ("yes", 2), ("1", 2), ("false", 1), ("NO", 1), ("0", 1), ("TRUE", 1),
      ("", 1),
    ])
  @MainActor
  func throttle(_ text: String, _ count: Int) async {
    let rig = PushwooshRig("", ["Pushwoosh_FEATURE_FLAGS_DISABLE_THROTTLE": text])
    rig.runtime.setAppCode("A1B2C-D3E4F")
    for _ in 0..<2 { #expect(await rig.refresh() == nil) }
    #expect(rig.platform.all.count == count)
  }

  @Test("a property list and a JSON file give the same settings")
  func files() throws {
    let rig = PushwooshRig()
    let json = """
      {"Pushwoosh_APPID":"LIST0-00000","Pushwoosh_API_TOKEN":"list-token",
      "Pushwoosh_FEATURE_FLAGS_DISABLE_THROTTLE":true,"Pushwoosh_ALLOW_SERVER_COMMUNICATION":false,
      "PW_APP_GROUPS_NAME":null,"Pushwoosh_LOG_LEVEL":["x"]}
      """
    for (name, text) in [("a.plist", Self.list), ("b.json", json)] {
      let path = try rig.write(name, text)
      let settings = PushwooshSettings { $0 == PushwooshSettings.fileVariable ? path : nil }
      #expect(settings.problem == nil)
      #expect(settings.text(.applicationCode) == "LIST0-00000")
      #expect(settings.text(.apiToken) == "list-token")
      #expect(settings.flag(.disablesThrottle) == true)
      #expect(settings.flag(.allowsServerCommunication) == false)
      #expect(settings.text(.appGroup) == nil && settings.text(.logLevel) == nil)
      #expect(settings.flag(.allowsReverseProxy) == nil)
    }
  }

  @Test("a file that is missing or of another form is reported and counts as none")
  func badFiles() throws {
    let rig = PushwooshRig()
    let path = try rig.write("bad", "neither of them")
    for bad in [path, rig.folder + "/missing"] {
      let process = PushwooshRig("", [PushwooshSettings.fileVariable: bad])
      #expect(process.runtime.client.applicationCode == nil)
      #expect(process.reports.all.map(\.code) == [.configuration])
    }
  }

  @Test("base URL, token and communication come from settings; a dot in the code is refused")
  @MainActor
  func effects() async {
    let rig = PushwooshRig(
      "",
      [
        "Pushwoosh_APPID": "A1B2C-D3E4F", "Pushwoosh_API_TOKEN": "token",
        "Pushwoosh_BASEURL": "http://127.0.0.1:9/json/1.3",
        "Pushwoosh_ALLOW_SERVER_COMMUNICATION": "NO",
      ])
    #expect(!rig.runtime.client.isServerCommunicationAllowed)
    #expect(await rig.refresh()?.code == 0)
    rig.runtime.setCommunication(true)
    #expect(await rig.refresh() == nil)
    let request = rig.platform.all.first?.request
    #expect(request?.url == "http://127.0.0.1:9/json/1.3/getFeatureFlags")
    #expect(request?.headers["Authorization"] == "Token token")
    rig.runtime.setAppCode("A1.B2")
    #expect(rig.runtime.client.applicationCode == "A1B2C-D3E4F")
    #expect(rig.reports.all.map(\.code) == [.configuration])
  }

  @Test(
    "a reverse proxy is refused where the setting forbids it",
    arguments: [("NO", false), ("YES", true), ("", true)])
  @MainActor
  func proxies(_ text: String, _ isUsed: Bool) async {
    let rig = PushwooshRig("", ["Pushwoosh_ALLOW_REVERSE_PROXY": text])
    rig.runtime.setAppCode("A1B2C-D3E4F")
    rig.runtime.setReverseProxy(ReverseProxy(url: "https://proxy.example/json/1.3/"))
    #expect(await rig.refresh() == nil)
    let isProxied = rig.platform.all.first?.request.url.hasPrefix("https://proxy.example") == true
    #expect(isProxied == isUsed)
    #expect(rig.reports.all.isEmpty == isUsed)
  }

  @Test("user, device and flags survive the process; without a folder memory serves")
  @MainActor
  func folders() async {
    let flag = #"{"key":"f","enabled":true,"rule_id":"r"}"#
    let first = PushwooshRig(flag)
    first.runtime.setAppCode("A1B2C-D3E4F")
    first.runtime.setUserId("user-43", nil)
    while first.runtime.featureFlags.get("f") == nil { await Task.yield() }
    let folder = first.folder
    let second = PushwooshRig { $0.stateFolder = folder }
    second.runtime.setAppCode("A1B2C-D3E4F")
    #expect(second.runtime.client.userID == "user-43")
    #expect(second.runtime.client.deviceID == first.runtime.client.deviceID)
    #expect(second.runtime.featureFlags.get("f")?.flag.origin.description == "stored")

    let none = PushwooshRig { $0.stateFolder = nil }
    none.runtime.setAppCode("A1B2C-D3E4F")
    #expect(await none.refresh() == nil)
    #expect(none.reports.all.map(\.code) == [.store])
    let state = PushwooshRig("", ["XDG_STATE_HOME": first.folder]) { $0.stateFolder = nil }
    _ = state.runtime.client
    #expect(FileManager.default.fileExists(atPath: folder + "/pushwoosh/anole.sqlite"))
    let home = PushwooshRig("", ["HOME": first.folder]) { $0.stateFolder = nil }
    _ = home.runtime.client
    #expect(
      FileManager.default.fileExists(atPath: folder + "/.local/state/pushwoosh/anole.sqlite"))
  }
}
