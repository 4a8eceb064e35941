// SPDX-License-Identifier: Apache-2.0

// The examples of the README and of the documentation page, compiled and run.

// [code-under-test]
import kameleoonClient

/// What an application has of its own: it knows the vendor's interface alone.
final class Checkout: Sendable {
  private let client: any KameleoonClient

  init(client: any KameleoonClient) { self.client = client }

  var buttonTitle: String {
    // Without an answer the usual title stays.
    guard let variation = try? client.getVariation(featureKey: "checkout") else { return "Buy" }
    return variation.string("title", default: "Buy")
  }

  func pay(amount: Double) {
    client.trackConversion(goalId: 12, revenue: amount)
  }
}
// [/code-under-test]
