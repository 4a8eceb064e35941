// SPDX-License-Identifier: Apache-2.0

import AnoleBenchCore
import AnoleModels
import AnoleTracking

/// The events of events.jsonl, and their lines.
struct Events {
  private let events: [(visitorCode: String, event: TrackingEvent)]

  var count: Int { events.count }

  init(folder: String) throws(BenchmarkError) {
    var events: [(visitorCode: String, event: TrackingEvent)] = []
    for line in try System.read("\(folder)/events.jsonl").split(separator: UInt8(ascii: "\n")) {
      let value: JSONValue
      do throws(JSONError) {
        value = try JSONValue(parsing: Array(line))
      } catch {
        throw BenchmarkError("events.jsonl: \(error)")
      }
      guard let code = value["v"]?.stringValue, let event = Self.event(value) else {
        throw BenchmarkError("events.jsonl: has an unknown event: \(value)")
      }
      events.append((code, event))
    }
    self.events = events
  }

  /// Encodes all events into one body.
  func encode(_ generator: inout SplitMix64) -> EventLines {
    var lines = EventLines(capacity: events.count * 128)
    for item in events {
      lines.append(
        item.event, nonce: Nonce(using: &generator), identity: .visitorCode(item.visitorCode))
    }
    return lines
  }

  private static func event(_ value: JSONValue) -> TrackingEvent? {
    let integer = { (key: String) in value[key]?.integerValue ?? 0 }
    switch value["t"]?.stringValue {
    case "experiment":
      return .experiment(experimentID: integer("id"), variationID: integer("variationId"))
    case "customData":
      let values = value["values"]?.arrayValue?.compactMap(\.stringValue) ?? []
      return .customData(index: Int(integer("index")), values: values)
    case "conversion":
      return .conversion(goalID: integer("goalId"), revenue: value["revenue"]?.doubleValue ?? 0)
    default: return nil
    }
  }
}

/// A quick generator for nonces, seeded so that every run does the same.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
