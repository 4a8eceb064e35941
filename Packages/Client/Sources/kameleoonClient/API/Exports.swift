// SPDX-License-Identifier: Apache-2.0

// Applications use `Data`, `NSNumber` and `JSONSerialization` after importing this module alone.
@_exported public import Foundation
