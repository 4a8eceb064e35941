// SPDX-License-Identifier: Apache-2.0

// What the documentation's examples take as given.

import PushwooshFramework

#if !canImport(UIKit)
  /// Stands for UIKit's class of this name.
  @MainActor
  class UIViewController {
    func viewDidLoad() {}
    func viewWillDisappear(_ animated: Bool) {}
  }
#endif

/// The checkout of the examples' application.
@MainActor
final class Checkout {
  private(set) var events: [String] = []

  func showNewCheckout(color: String, items: Int) { events.append("new \(color) \(items)") }
  func showOldCheckout() { events.append("old") }
  func note(_ event: String) { events.append(event) }
}
