// SPDX-License-Identifier: Apache-2.0

// The examples of the README and of the documentation page, compiled and run.

import AnoleConcurrency
import AnoleNetworking
import kameleoonClient

/// What the examples belong to.
enum Shop {
  // [first]
  static func open(siteCode: String) async throws -> any KameleoonClient {
    let client = try KameleoonClientFactory.create(siteCode: siteCode)
    try await client.runWhenReady(timeoutMilliseconds: 2_000)
    client.addData(CustomData(name: "plan", values: "pro"))
    return client
  }

  static func price(for client: any KameleoonClient) -> Double {
    // Without an answer the usual price stays.
    guard let variation = try? client.getVariation(featureKey: "pricing") else { return 10 }
    return variation.double("price", default: 10)
  }
  // [/first]

  // [beyond]
  static func explain(_ client: any AnoleClient) async throws {
    let decision = try client.decision(featureKey: "pricing")
    print(decision)  // the variation, the reason, and every step that led to it
    print(client.dataFileOrigin?.description ?? "no configuration yet")
    print(await client.health.tracking.waiting, "events wait")
  }

  static func follow(_ client: any AnoleClient, show: (String) -> Void) async {
    for await variation in client.changes(of: "banner") {
      show(variation.string("title", default: "Welcome"))
    }
  }
  // [/beyond]

  // [options]
  static func options() -> ClientOptions {
    var options = ClientOptions(proxy: .fixed("http://proxy.example.com:3128"))
    options.requestHeaders = { _ in ["X-Team": "shop"] }
    options.store = .folder("/var/lib/shop")
    options.callbackExecutor = SerialCallbackExecutor.main
    return options
  }
  // [/options]
}
