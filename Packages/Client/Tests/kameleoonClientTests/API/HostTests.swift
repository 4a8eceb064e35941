// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import Testing

@testable import kameleoonClient

@Suite("What the host tells")
struct HostTests {
  @Test("a command-line program is active from start to exit")
  func lifecycle() {
    let lifecycle = AlwaysActive()
    #expect(lifecycle.isActive)
    let observation = lifecycle.observe { _ in Issue.record("nothing changes") }
    withExtendedLifetime(observation) { #expect(lifecycle.isActive) }
  }

  @Test("the system's information is there: a computer with a system and its version")
  func device() {
    let info = SystemDeviceInfo()
    #if os(Linux)
      #expect(info.device == .desktop)
      #expect(info.osName == "Linux")
    #endif
    #expect(!info.osName.isEmpty)
    #expect(info.osVersion.first?.isNumber == true)
    #expect(!info.language.isEmpty && !info.language.contains("_"))
    #expect(abs(info.timeZoneOffset) <= 14 * 3_600)
  }

  @Test("the kind of device follows the model's name")
  func models() {
    #expect(SystemDeviceInfo.kind(ofModel: "iPhone16,1") == .phone)
    #expect(SystemDeviceInfo.kind(ofModel: "iPod9,1") == .phone)
    #expect(SystemDeviceInfo.kind(ofModel: "iPad14,3") == .tablet)
    #expect(SystemDeviceInfo.kind(ofModel: "arm64") == .desktop)
    #expect(SystemDeviceInfo.kind(ofModel: nil) == .desktop)
  }

  @Test("options: all endpoints can be sent to one address")
  func endpoints() {
    var options = ClientOptions()
    #expect(options.endpoints.isEmpty && options.isCompressionEnabled)
    #expect(options.store == .standard && options.transport == nil)
    options.redirectEndpoints(port: 8_080)
    #expect(options.endpoints.count == PlatformEndpoint.allCases.count)
    #expect(
      options.endpoints[.tracking]
        == EndpointAddress(scheme: "http", host: "127.0.0.1", port: 8_080))
  }
}
