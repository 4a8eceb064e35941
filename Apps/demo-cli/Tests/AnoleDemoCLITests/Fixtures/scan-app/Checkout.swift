// SPDX-License-Identifier: Apache-2.0

// An application that a scan looks through; nothing compiles it.

import kameleoonClient

enum FlagKeys {
  static let gift = "free_gift"
  static let search = "new_search"
}

struct Checkout {
  let client: any KameleoonClient

  func title() throws -> String {
    // Not a use: client.isFeatureActive(featureKey: "commented_out")
    let variation = try client.getVariation(featureKey: "checkout")
    return variation.string("titel", default: "Buy")
  }

  func isFast() throws -> Bool {
    try client.isFeatureActive(featureKey: "express_delivrey")
  }

  func hasGift() throws -> Bool {
    try client.isFeatureActive(featureKey: FlagKeys.gift)
  }

  func hasNewSearch() throws -> Bool {
    try client.isFeatureActive(featureKey: FlagKeys.search)
  }

  func isActive(_ name: String) throws -> Bool {
    try client.isFeatureActive(featureKey: "shop_\(name)")
  }

  var banner: Bool { client.flags.oldSearch().isActive }

  var keys: [String] { ["summer_sale"] }
}
