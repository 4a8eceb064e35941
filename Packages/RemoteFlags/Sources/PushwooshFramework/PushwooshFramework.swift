// SPDX-License-Identifier: Apache-2.0

// Applications import this module only; everything it offers is in PushwooshCore and Foundation.

@_exported public import Foundation
@_exported public import PushwooshCore
