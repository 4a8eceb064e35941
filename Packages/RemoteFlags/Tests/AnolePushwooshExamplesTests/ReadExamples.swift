// SPDX-License-Identifier: Apache-2.0

import PushwooshFramework

/// P-1: read a flag and its values.
@MainActor
func readFlag(_ checkoutScreen: Checkout) {
  if let checkout = Pushwoosh.configure.featureFlags.get("new_checkout"), checkout.isEnabled {
    let color = checkout.string(forProperty: "button_color", default: "blue") ?? "blue"
    let maxItems = Int(checkout.number(forProperty: "max_items", default: 3))
    checkoutScreen.showNewCheckout(color: color, items: maxItems)
  } else {
    checkoutScreen.showOldCheckout()
  }
}

/// P-2: read a state with a default.
@MainActor
func readState(_ checkoutScreen: Checkout) {
  if Pushwoosh.configure.featureFlags.isEnabled("new_checkout", default: false) {
    checkoutScreen.note("enabled")
  }
}
