// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Something in a data file that is wrong or surely not meant.
struct Finding: Sendable, Hashable {
  /// What found it.
  enum Check: String, Sendable, CaseIterable {
    case reading
    case compiling
    case splitSum = "split-sum"
    case unreachableRule = "unreachable-rule"
    case unknownSegment = "unknown-segment"
    case unknownCustomData = "unknown-custom-data"
    case unknownVariation = "unknown-variation"
    case unknownDefault = "unknown-default"
    case duplicateKey = "duplicate-key"
    case duplicateID = "duplicate-id"
    case exposition
    case segmentCycle = "segment-cycle"
    case loneGroupMember = "lone-group-member"
  }

  let check: Check
  /// Where, as a path from the root: `featureFlags[2].rules[0].id`.
  let path: String
  /// What is wrong and what follows from it, without a full stop.
  let message: String

  var document: JSONValue {
    [
      "path": .string(path), "check": .string(check.rawValue), "message": .string(message),
    ]
  }
}
