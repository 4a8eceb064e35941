// SPDX-License-Identifier: Apache-2.0

extension Double {
  /// The number without the noise of binary sums: 0.6000000000000001 is 0.6, 1.0 is 1.
  var plain: String {
    let scale = 1e12
    // Beyond this the rounded number could not be told from its neighbours anyway.
    guard abs(self) < 1e3 else { return "\(self)" }
    let rounded = (self * scale).rounded() / scale
    return rounded == rounded.rounded() ? String(Int64(rounded)) : "\(rounded)"
  }
}
