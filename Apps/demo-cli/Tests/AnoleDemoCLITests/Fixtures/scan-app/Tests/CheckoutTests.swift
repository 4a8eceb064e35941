// SPDX-License-Identifier: Apache-2.0

import AnoleTesting

func testClient() -> InMemoryClient {
  let client = InMemoryClient()
  client.set("invented", isActive: true)
  _ = try? client.isFeatureActive(featureKey: "invented")
  return client
}
