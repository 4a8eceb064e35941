// SPDX-License-Identifier: Apache-2.0

import AnoleHashing

let admission = HashSuffix(id: 102374)
let choice = HashSuffix(id: 187211, respoolTime: 1_758_000_000_123)

/// Half of the visitors are in; a quarter of those see the new button.
func button(for visitorCode: String) -> String? {
  guard BucketHash.value(key: visitorCode, suffix: admission) <= 0.5 else { return nil }
  let value = BucketHash.value(key: visitorCode, suffix: choice)
  return Split.index(of: value, in: [0.25, 0.75]).map { ["new", "old"][$0] }
}
