// SPDX-License-Identifier: Apache-2.0

@testable import kameleoonClient

/// Writes data files for tests.
struct DataFileText {
  var dateModified = 1_000
  var configuration = "{}"
  var customData = "[]"
  var segments = "[]"
  var flags: [String] = []
  var holdout: String?

  var text: String {
    """
    {"dateModified":\(dateModified),"configuration":\(configuration),"customData":\(customData),
     "segments":\(segments)\(holdout.map { ",\"holdout\":\($0)" } ?? ""),
     "featureFlags":[\(flags.joined(separator: ","))]}
    """
  }

  /// A flag with one rule that serves `on` to the visitors of a segment; everybody else gets `off`.
  static func flag(
    _ key: String, id: Int = 1, type: String = "TARGETED_DELIVERY", segment: Int? = nil,
    extra: String = ""
  ) -> String {
    let segment = segment.map { ",\"segmentId\":\($0)" } ?? ""
    return """
      {"id":\(id),"featureKey":"\(key)","environmentEnabled":true,"defaultVariationKey":"off"\(extra),
       "variations":[{"key":"off","name":"Off","variables":[]},
                     {"key":"on","name":"On","variables":[]}],
       "rules":[{"id":\(id)0,"type":"\(type)","exposition":1.0,"experimentId":\(id)00\(segment),
         "variationByExposition":[{"variationKey":"on","variationId":\(id)000,"exposition":1.0}]}]}
      """
  }

  /// A segment with one condition.
  static func segment(_ id: Int, _ condition: String, isAudience: Bool = false) -> String {
    """
    {"id":\(id),"audienceTracking":\(isAudience),"conditionsData":{"firstLevelOrOperators":[],
     "firstLevel":[{"orOperators":[],"conditions":[{\(condition)}]}]}}
    """
  }

  /// A file with the flag `flag`, served to the visitors for whom a condition holds.
  static func when(_ condition: String, customData: String = "[]") -> String {
    DataFileText(
      customData: customData, segments: "[\(segment(7, condition))]",
      flags: [flag("flag", segment: 7)]
    ).text
  }
}

extension Bench {
  /// A client with a given data file in force.
  func client(
    _ visitorCode: String? = "visitor-1", _ config: KameleoonClientConfig = KameleoonClientConfig(),
    file text: String
  ) async throws -> Client {
    platform.answer(.config, .json(text))
    let client = try client(visitorCode, config)
    try await client.runWhenReady(timeoutMilliseconds: 10_000)
    return client
  }

  /// The lines of the kinds that a test is about: without those that open a visit.
  var events: [[String: String]] {
    platform.lines.filter { $0["deviceType"] == nil && $0["os"] == nil && $0["visitNumber"] == nil }
  }

  /// The kinds of ``events``.
  var eventTypes: [String] { events.map { $0["eventType"] ?? "" } }
}
