// SPDX-License-Identifier: Apache-2.0

import AnoleConformance
import AnoleModels

/// Puts data of a vector into the platform's answer about a visitor (network specification, 4.3).
enum RemoteAnswer {
  /// The answer that brings the data; nil if the answer has no place for one of them.
  static func json(_ items: [JSONValue], now: Timestamp) throws(VectorError) -> JSONValue? {
    var events: [String: [JSONValue]] = [:]
    var members: [JSONValue.Member] = []
    for item in items {
      let time = item["time"] ?? .number(.integer(now.milliseconds))
      switch try VectorData.text(item, "type") {
      case "customData":
        guard let index = item["index"] else { return nil }
        let values = item["values"]?.arrayValue?.compactMap(\.stringValue) ?? []
        events["customDataEvents", default: []].append(
          event(
            time,
            [
              "index": index,
              "valuesCountMap": .object(values.map { .init(key: $0, value: 1) }),
            ]))
      case "conversion":
        events["conversionEvents", default: []].append(
          event(time, item.picking("goalId", "revenue", "negative")))
      case "assignedVariation":
        events["experimentEvents", default: []].append(
          event(
            time,
            ["id": item["experimentId"] ?? .null, "variationId": item["variationId"] ?? .null]))
      case "personalization":
        events["personalizationEvents", default: []].append(
          event(time, item.picking("id", "variationId")))
      case "visits":
        let visits = (item["prev"]?.arrayValue ?? []).map { visit -> JSONValue in
          ["timeStarted": visit[0] ?? .null, "timeLastEvent": visit[1] ?? .null]
        }
        members.append(.init(key: "previousVisits", value: .array(visits)))
      case "kcsHeat": members.append(.init(key: "kcs", value: item["values"] ?? .null))
      case "cbs": members.append(.init(key: "cbs", value: item["values"] ?? .null))
      default: return nil
      }
    }
    let visit = events.map { JSONValue.Member(key: $0.key, value: .array($0.value)) }
    return .object(members + [.init(key: "currentVisit", value: .object(visit))])
  }

  private static func event(_ time: JSONValue, _ data: JSONValue) -> JSONValue {
    ["time": time, "data": data]
  }
}

extension JSONValue {
  /// An object of some members.
  fileprivate func picking(_ keys: String...) -> JSONValue {
    .object((objectValue ?? []).filter { keys.contains($0.key) })
  }
}
