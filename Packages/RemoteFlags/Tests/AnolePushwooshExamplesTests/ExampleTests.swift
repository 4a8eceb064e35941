// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleNetworking
import AnoleRemoteFlags
import PushwooshFramework
import Testing

/// The platform on loopback, and a folder for the state of one process.
private final class Platform {
  let emulator = Emulator()
  /// Where the process keeps its state; removed with this object.
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("anole-examples-\(UUID().uuidString)").path

  init(_ flags: String) throws {
    try answer(flags)
    try emulator.start()
  }

  deinit {
    emulator.stop()
    // A folder that cannot be removed harms no other test.
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The base URL of the device API.
  var baseURL: String { "\(emulator.baseURL ?? "")/json/1.3/" }

  func answer(_ flags: String) throws {
    try emulator.setRemoteFlags(#"{"flags":[\#(flags)]}"#)
  }
}

@Suite("Examples of the documentation", .serialized)
@MainActor
struct ExampleTests {
  private static let on = #"""
    {"key":"new_checkout","rules":[{"id":"r_1"}],"properties":{"button_color":"green","max_items":5}}
    """#

  /// Starts the process anew against a platform.
  private func start(_ flags: String) throws -> Platform {
    let platform = try Platform(flags)
    PushwooshConfig.setHost(host(platform, lifecycle: nil))
    PushwooshConfig.setAppCode("A1B2C-D3E4F")
    return platform
  }

  private func host(_ platform: Platform, lifecycle: HostLifecycle?) -> PushwooshHost {
    var host = PushwooshHost()
    host.transport = CurlTransport()
    let settings = [
      "Pushwoosh_FEATURE_FLAGS_DISABLE_THROTTLE": "YES", "Pushwoosh_BASEURL": platform.baseURL,
    ]
    host.environment = { settings[$0] }
    host.stateFolder = platform.folder
    host.lifecycle = lifecycle
    return host
  }

  private func refresh() async -> NSError? {
    await withCheckedContinuation { continuation in
      Pushwoosh.configure.featureFlags.refresh { continuation.resume(returning: $0 as NSError?) }
    }
  }

  /// Lets the main queue and tasks run until something holds.
  private func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
  }

  @Test("P-1 and P-2: reading a flag and its values, with and without flags")
  func reading() async throws {
    let platform = try start(Self.on)
    defer { withExtendedLifetime(platform) {} }
    let checkout = Checkout()
    PushwooshConfig.stopServerCommunication()
    readFlag(checkout)
    readState(checkout)
    PushwooshConfig.startServerCommunication()
    #expect(await refresh() == nil)
    readFlag(checkout)
    readState(checkout)
    #expect(checkout.events == ["old", "new green 5", "enabled"])
  }

  @Test("P-3: a view controller hears of changes while it is on the screen")
  func listening() async throws {
    let platform = try start(Self.on)
    let controller = CheckoutViewController()
    controller.viewDidLoad()
    #expect(await refresh() == nil)
    #expect(controller.updates == 1)
    try platform.answer("")
    #expect(await refresh() == nil)
    #expect(controller.updates == 2)
    controller.viewWillDisappear(false)
    try platform.answer(Self.on)
    #expect(await refresh() == nil)
    #expect(controller.updates == 2)
  }

  @Test("P-4: the completion gets nil, or an error with domain and code")
  func refreshing() async throws {
    let platform = try start(Self.on)
    let checkout = Checkout()
    refreshFlags(checkout)
    await until { checkout.events.count == 1 }
    platform.emulator.addFault(.status(503), on: .featureFlags)
    refreshFlags(checkout)
    await until { checkout.events.count == 2 }
    #expect(checkout.events == ["refreshed", "failed 503 \(PWFeatureFlagsErrorDomain)"])
  }

  @Test("P-5: reaching a feature reports it once")
  func impressions() async throws {
    let platform = try start(Self.on)
    let checkout = Checkout()
    #expect(await refresh() == nil)
    reachFeature(checkout)
    reachFeature(checkout)
    try await platform.emulator.waitForRequests(count: 1, route: .postEvent)
    #expect(checkout.events == ["reached", "reached"])
    let impressions = platform.emulator.impressions
    #expect(impressions.map(\.key) == ["new_checkout"])
    #expect(impressions.map(\.ruleID) == ["r_1"])
    #expect(platform.emulator.requests(.postEvent).count == 1)
  }

  // The process has one client, so all tests that use it stand here and run one after another.
  @Test("the static members work on one client of the process")
  func statics() async throws {
    let platform = try start(Self.on)
    PushwooshConfig.setHost(host(platform, lifecycle: HostLifecycle()))
    #expect(PushwooshConfig.getAppCode() == nil)
    PushwooshConfig.setAppCode("A1B2C-D3E4F")
    #expect(Pushwoosh.configure.getAppCode() == "A1B2C-D3E4F")
    #expect(UUID(uuidString: PushwooshConfig.getHWID()) != nil)
    #expect(PushwooshConfig.getUserId() == PushwooshConfig.getHWID())
    PushwooshConfig.stopServerCommunication()
    #expect(!PushwooshConfig.isServerCommunicationAllowed())
    PushwooshConfig.setUserId("user-43")
    PushwooshConfig.setUserId("user-44", completion: nil)
    #expect(PushwooshConfig.getUserId() == "user-44")
    PushwooshConfig.setApiToken("token")
    PushwooshConfig.setReverseProxy(platform.baseURL, headers: ["X-A": "1"])
    PushwooshConfig.pushRegistrationSucceeded()
    PushwooshConfig.startServerCommunication()
    let flags = Pushwoosh.configure.featureFlags
    #expect(flags === PushwooshConfig.featureFlags)
    #expect(await refresh() == nil)
    #expect(flags.get("new_checkout") != nil)
    flags.logImpression("new_checkout")
    let request = platform.emulator.requests(.featureFlags).first
    #expect(request?.header("X-A") == "1")
    #expect(request?.header("Authorization") == "Token token")
    // The last client of the process lets go of its folder.
    PushwooshConfig.setHost(PushwooshHost())
  }
}
