// SPDX-License-Identifier: Apache-2.0

/// The built-in data file: an invented shop with one of everything.
enum ShopDataFile {
  /// The text, in format v3.
  static let text = #"""
    {
      "dateModified": 1767225600000,
      "configuration": { "consentType": "NOT_REQUIRED", "realTimeUpdate": true },
      "customData": [
        { "id": 4101, "index": 1, "name": "plan", "scope": "VISITOR" },
        { "id": 4102, "index": 2, "name": "company", "scope": "VISITOR" }
      ],
      "segments": [
        { "id": 7001, "audienceTracking": true, "conditionsData": {
          "firstLevelOrOperators": [], "firstLevel": [ { "orOperators": [], "conditions": [
            { "targetingType": "CUSTOM_DATUM", "isInclude": true, "customDataIndex": "1",
              "valueMatchType": "AMONG_VALUES", "value": "[\"gold\",\"platinum\"]" } ] } ] } },
        { "id": 7002, "conditionsData": {
          "firstLevelOrOperators": [], "firstLevel": [ { "orOperators": [true], "conditions": [
            { "targetingType": "DEVICE_TYPE", "isInclude": true, "device": "PHONE" },
            { "targetingType": "DEVICE_TYPE", "isInclude": true, "device": "TABLET" } ] } ] } }
      ],
      "holdout": { "experimentId": 900100, "variationByExposition": [
        { "variationKey": "in-holdout", "variationId": 910001, "exposition": 0.05 },
        { "variationKey": "not-in-holdout", "variationId": 910002, "exposition": 0.95 } ] },
      "featureFlags": [
        { "id": 5001, "featureKey": "express_delivery", "environmentEnabled": true,
          "defaultVariationKey": "off",
          "variations": [
            { "key": "off", "name": "Off" },
            { "key": "on", "name": "Free express delivery", "variables": [
              { "key": "hours", "type": "NUMBER", "value": 24 } ] } ],
          "rules": [
            { "id": 6001, "type": "TARGETED_DELIVERY", "exposition": 1, "segmentId": 7001,
              "experimentId": 900101, "variationByExposition": [
                { "variationKey": "on", "variationId": 910101, "exposition": 1 } ] } ] },
        { "id": 5002, "featureKey": "checkout", "environmentEnabled": true,
          "defaultVariationKey": "off",
          "variations": [
            { "key": "off", "name": "Three steps", "variables": [
              { "key": "steps", "type": "NUMBER", "value": 3 },
              { "key": "title", "type": "STRING", "value": "Checkout" } ] },
            { "key": "two_steps", "name": "Two steps", "variables": [
              { "key": "steps", "type": "NUMBER", "value": 2 },
              { "key": "title", "type": "STRING", "value": "Almost there" } ] },
            { "key": "one_page", "name": "One page", "variables": [
              { "key": "steps", "type": "NUMBER", "value": 1 },
              { "key": "title", "type": "STRING", "value": "Pay now" },
              { "key": "layout", "type": "JSON", "value": "{\"columns\":2,\"guest\":true}" } ] } ],
          "rules": [
            { "id": 6002, "type": "TARGETED_DELIVERY", "exposition": 1, "segmentId": 7001,
              "experimentId": 900102, "variationByExposition": [
                { "variationKey": "one_page", "variationId": 910201, "exposition": 1 } ] },
            { "id": 6003, "type": "EXPERIMENTATION", "exposition": 0.9,
              "experimentId": 900103, "variationByExposition": [
                { "variationKey": "off", "variationId": 910211, "exposition": 0.4 },
                { "variationKey": "two_steps", "variationId": 910212, "exposition": 0.3 },
                { "variationKey": "one_page", "variationId": 910213, "exposition": 0.3 } ] } ] },
        { "id": 5003, "featureKey": "summer_sale", "environmentEnabled": true,
          "defaultVariationKey": "off", "mutuallyExclusiveGroup": "promotions",
          "variations": [ { "key": "off", "name": "Off" }, { "key": "on", "name": "Sale banner" } ],
          "rules": [
            { "id": 6004, "type": "EXPERIMENTATION", "exposition": 1, "experimentId": 900104,
              "variationByExposition": [
                { "variationKey": "off", "variationId": 910301, "exposition": 0.5 },
                { "variationKey": "on", "variationId": 910302, "exposition": 0.5 } ] } ] },
        { "id": 5004, "featureKey": "free_gift", "environmentEnabled": true,
          "defaultVariationKey": "off", "mutuallyExclusiveGroup": "promotions",
          "variations": [ { "key": "off", "name": "Off" }, { "key": "on", "name": "Free gift" } ],
          "rules": [
            { "id": 6005, "type": "TARGETED_DELIVERY", "exposition": 1, "segmentId": 7002,
              "experimentId": 900105, "variationByExposition": [
                { "variationKey": "on", "variationId": 910401, "exposition": 1 } ] } ] },
        { "id": 5005, "featureKey": "old_search", "environmentEnabled": false,
          "defaultVariationKey": "off",
          "variations": [ { "key": "off", "name": "Off" } ], "rules": [] }
      ]
    }
    """#

  /// The same file after somebody has switched the checkout off.
  static let withoutCheckout = text.replacing(
    #""featureKey": "checkout", "environmentEnabled": true"#,
    with: #""featureKey": "checkout", "environmentEnabled": false"#)
}
