// SPDX-License-Identifier: Apache-2.0

import AnoleRemoteFlags
@_exported public import Foundation

// The documentation gives the name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of every error of feature flags.
public let PWFeatureFlagsErrorDomain: String = "PWFeatureFlagsErrorDomain"

extension NSError {
  /// An error in the form that applications expect.
  convenience init(flags error: RemoteFlagsError) {
    self.init(
      domain: PWFeatureFlagsErrorDomain, code: error.number,
      userInfo: [NSLocalizedDescriptionKey: error.message])
  }
}
