// SPDX-License-Identifier: Apache-2.0

import kameleoonClient

func steps(_ client: any KameleoonClient) throws -> Int {
  try client.getVariation(featureKey: "checkout").int("steps", default: 3)
}
