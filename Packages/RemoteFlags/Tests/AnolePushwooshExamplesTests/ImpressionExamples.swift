// SPDX-License-Identifier: Apache-2.0

import PushwooshFramework

/// P-5: report that the user has reached the feature.
@MainActor
func reachFeature(_ checkoutScreen: Checkout) {
  let isEnabled = Pushwoosh.configure.featureFlags.isEnabled("new_checkout", default: false)
  Pushwoosh.configure.featureFlags.logImpression("new_checkout")
  checkoutScreen.note(isEnabled ? "reached" : "reached the old one")
}
