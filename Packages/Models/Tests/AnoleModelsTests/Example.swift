// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The steps that a visitor's checkout has in the variation "on" of the first flag.
func steps(in text: String) throws -> Int64? {
  let reading = try DataFile.read(Array(text.utf8))
  for diagnostic in reading.diagnostics {
    print("left out: \(diagnostic)")
  }
  let variation = reading.dataFile.featureFlags.first?.variations.first { $0.key == "on" }
  return variation?.variables.first { $0.key == "steps" }?.value.intValue
}
