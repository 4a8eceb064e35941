// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking

extension HTTPDate {
  /// The text of a time, cut to the second.
  static func text(_ time: Timestamp) -> String { text(seconds: time.milliseconds / 1000) }
}
