// SPDX-License-Identifier: Apache-2.0

import kameleoonClient

/// What the examples do to their application.
package nonisolated protocol Effects: Sendable {
  func applyDiscount(value: Double)
  func applyVariation(recommendedProductsNumber: Int)
  /// What the example found out.
  func note(_ text: String)
}

/// The call shapes of the vendor's documentation, one function an example, named by the ids of the API
/// specification, section 4, with the corrections that are listed there.
///
/// The functions are written as an application would write them: this module imports the client alone and
/// is built in Swift 6 mode without further features. The declarations that the examples take for granted
/// are properties.
package struct Examples: Sendable {
  package let kameleoonClient: KameleoonClient
  package let effects: Effects
  package var siteCode = "a8st4f59bj"
  package var userId = "user-42"
  package var anonymousVisitorCode = "anonymous-1"
  package var index = 1

  /// Makes the surroundings of the examples.
  package init(kameleoonClient: KameleoonClient, effects: Effects) {
    self.kameleoonClient = kameleoonClient
    self.effects = effects
  }

  /// Some examples call it so.
  package var client: KameleoonClient { kameleoonClient }

  func applyDiscount(value: Double) { effects.applyDiscount(value: value) }

  func applyVariation(recommendedProductsNumber: Int) {
    effects.applyVariation(recommendedProductsNumber: recommendedProductsNumber)
  }
}
