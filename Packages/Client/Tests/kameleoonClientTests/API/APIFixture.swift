// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

@testable import kameleoonClient

/// Configurations for tests of the public types.
enum APIFixture {
  static func snapshot(_ text: String) throws -> Snapshot {
    let reading = try DataFile.read(Array(text.utf8))
    return Snapshot(reading.dataFile, sdk: SDKIdentity(version: "4.27.3"))
  }
}
