// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking
import AnoleRemoteFlags
import PushwooshFramework
import Testing

/// Answers every call with success, and notes them.
private final class Platform: HTTPTransport {
  private let calls = Lock<[HTTPRequest]>([])
  private let answer: Lock<String>

  /// Where the process keeps its state; removed with this object.
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("anole-examples-\(UUID().uuidString)").path

  init(_ flags: String) {
    answer = Lock(flags)
  }

  deinit {
    // A folder that cannot be removed harms no other test.
    try? FileManager.default.removeItem(atPath: folder)
  }

  var requests: [HTTPRequest] { calls.withLock { $0 } }

  var events: [JSONValue] {
    requests.compactMap { request -> JSONValue? in
      let root = try? JSONValue(parsing: request.body ?? [])
      return root?["request"]
    }.filter { $0["event"] != nil }
  }

  func answer(_ flags: String) { answer.withLock { $0 = flags } }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    throw HTTPError(code: .other, message: "streams only")
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    let flags = answer.withLock { $0 }
    calls.withLock { $0.append(request) }
    let text = #"{"status_code":200,"response":{"flags":[\#(flags)]}}"#
    return HTTPStream(
      status: flags == "down" ? 503 : 200, headers: [:],
      body: AsyncThrowingStream { continuation in
        continuation.yield(Array(text.utf8))
        continuation.finish()
      })
  }
}

@Suite("Examples of the documentation", .serialized)
@MainActor
struct ExampleTests {
  private static let on = #"""
    {"key":"new_checkout","enabled":true,"rule_id":"r_1","properties":{"button_color":"green","max_items":5}}
    """#

  /// Starts the process anew against a platform.
  private func start(_ flags: String) -> Platform {
    let platform = Platform(flags)
    PushwooshConfig.setHost(host(platform, lifecycle: nil))
    PushwooshConfig.setAppCode("A1B2C-D3E4F")
    return platform
  }

  private func host(_ platform: Platform, lifecycle: HostLifecycle?) -> PushwooshHost {
    var host = PushwooshHost()
    host.transport = platform
    host.environment = { $0 == "Pushwoosh_FEATURE_FLAGS_DISABLE_THROTTLE" ? "YES" : nil }
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
  func reading() async {
    _ = start(Self.on)
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
  func listening() async {
    let platform = start(Self.on)
    let controller = CheckoutViewController()
    controller.viewDidLoad()
    #expect(await refresh() == nil)
    #expect(controller.updates == 1)
    platform.answer("")
    #expect(await refresh() == nil)
    #expect(controller.updates == 2)
    controller.viewWillDisappear(false)
    platform.answer(Self.on)
    #expect(await refresh() == nil)
    #expect(controller.updates == 2)
  }

  @Test("P-4: the completion gets nil, or an error with domain and code")
  func refreshing() async {
    let platform = start(Self.on)
    let checkout = Checkout()
    refreshFlags(checkout)
    await until { checkout.events.count == 1 }
    platform.answer("down")
    refreshFlags(checkout)
    await until { checkout.events.count == 2 }
    #expect(checkout.events == ["refreshed", "failed 503 \(PWFeatureFlagsErrorDomain)"])
  }

  @Test("P-5: reaching a feature reports it once")
  func impressions() async {
    let platform = start(Self.on)
    let checkout = Checkout()
    #expect(await refresh() == nil)
    reachFeature(checkout)
    reachFeature(checkout)
    await until { !platform.events.isEmpty }
    #expect(checkout.events == ["reached", "reached"])
    #expect(platform.events.count == 1)
    #expect(platform.events.first?["event"] == "PW_FeatureFlagImpression")
  }

  // The process has one client, so all tests that use it stand here and run one after another.
  @Test("the static members work on one client of the process")
  func statics() async {
    let platform = start(Self.on)
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
    PushwooshConfig.setReverseProxy("https://proxy.example/json/1.3/", headers: ["X-A": "1"])
    PushwooshConfig.pushRegistrationSucceeded()
    PushwooshConfig.startServerCommunication()
    let flags = Pushwoosh.configure.featureFlags
    #expect(flags === PushwooshConfig.featureFlags)
    #expect(await refresh() == nil)
    #expect(flags.get("new_checkout") != nil)
    flags.logImpression("new_checkout")
    let request = platform.requests.first { $0.url.hasSuffix("/getFeatureFlags") }
    #expect(request?.url == "https://proxy.example/json/1.3/getFeatureFlags")
    #expect(request?.headers["X-A"] == "1")
    #expect(request?.headers["Authorization"] == "Token token")
    // The last client of the process lets go of its folder.
    PushwooshConfig.setHost(PushwooshHost())
  }
}
