// SPDX-License-Identifier: Apache-2.0

import PushwooshFramework

/// P-3: a view controller that listens to changes.
class CheckoutViewController: UIViewController, PWFeatureFlagsUpdateListener {
  var updates = 0

  override func viewDidLoad() {
    super.viewDidLoad()
    Pushwoosh.configure.featureFlags.addUpdateListener(self)
  }

  override func viewWillDisappear(_ animated: Bool) {
    super.viewWillDisappear(animated)
    Pushwoosh.configure.featureFlags.removeUpdateListener(self)
  }

  func featureFlagsDidUpdate() {
    updates += 1
  }
}

/// P-4: ask for the flags and look at the error.
@MainActor
func refreshFlags(_ checkoutScreen: Checkout) {
  Pushwoosh.configure.featureFlags.refresh { error in
    if let error = error as NSError? {
      checkoutScreen.note("failed \(error.code) \(error.domain)")
    } else {
      checkoutScreen.note("refreshed")
    }
  }
}
