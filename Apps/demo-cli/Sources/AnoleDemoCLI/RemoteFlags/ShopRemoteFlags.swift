// SPDX-License-Identifier: Apache-2.0

/// The remote flags of the built-in shop, as the emulator takes them.
enum ShopRemoteFlags {
  static let text = #"""
    {
      "flags": [
        { "key": "new_checkout", "properties": { "button_color": "grey", "max_items": 5 },
          "rules": [
            { "id": "r_1a2b3c4d", "users": ["anna", "user-42"],
              "properties": { "button_color": "green", "max_items": 9 } } ] },
        { "key": "free_shipping", "enabled": true,
          "properties": { "threshold": 49.5, "countries": ["FR", "DE"] } },
        { "key": "old_banner", "enabled": true, "killed": true, "properties": { "text": "Sale" } }
      ]
    }
    """#
}
