// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels

/// One control request; the answer must be JSON.
func controlRequest(
  _ emulator: Emulator, _ method: String, _ name: String, _ json: String = "",
  headers: [String] = []
) async throws -> (status: Int?, json: JSONValue) {
  let answer = try await exchange(
    emulator.port, method, "/_control/\(name)", headers: headers, body: json)
  return (answer.status, try JSONValue(parsing: answer.body))
}

/// What the emulator answers to a control request that succeeds.
func control(
  _ emulator: Emulator, _ method: String, _ name: String, _ json: String = ""
) async throws -> JSONValue {
  let (status, value) = try await controlRequest(emulator, method, name, json)
  guard status == 200 else { throw WireError(message: "\(status ?? 0): \(value)") }
  return value
}

/// A data file in a form of its own: what is not changed must stay byte for byte.
let oddDataFile = #"""
  { "dateModified" : 1767225600000,  "unknown": [1.50, {"a":1,"a":2}],
    "configuration": {"realTimeUpdate": true},
    "featureFlags": [
      {"id": 1, "featureKey": "first", "environmentEnabled" :true, "later": null,
       "defaultVariationKey": "off", "variations": [{"key":"off"},{"key":"on"}],
       "rules": [
         {"id": 11, "type": "EXPERIMENTATION", "exposition": 1e0, "experimentId": 111, "x": "\u00e9",
          "variationByExposition": [
            {"variationKey": "off", "variationId": 1111, "exposition": 0.50},
            {"variationKey": "on", "variationId": 1112, "exposition": 5e-1}]},
         {"type": "TARGETED_DELIVERY", "id": 12, "experimentId": 112,
          "variationByExposition": [{"variationKey": "on", "variationId": 1121, "exposition": 1}]},
         {"id": 13, "experimentId": 113}, {"id": 13, "experimentId": 113}]},
      {"id": 2, "featureKey": "no switch", "defaultVariationKey": "off", "rules": []},
      {"id": 3, "featureKey": "twin", "environmentEnabled": false},
      {"id": 4, "featureKey": "twin", "environmentEnabled": false, "environmentEnabled": null}
    ] }
  """#
