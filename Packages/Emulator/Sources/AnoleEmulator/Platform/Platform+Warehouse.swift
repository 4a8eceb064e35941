// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension Platform {
  /// Sets the warehouse audiences of a key in the shape of remote data.
  mutating func setWarehouseAudiences(_ names: [String], forKey key: String) {
    let audiences = JSONValue.object(names.map { .init(key: $0, value: true) })
    let value: JSONValue = ["warehouseAudiences": audiences]
    remoteData[key] = Array(value.text().utf8)
  }
}
