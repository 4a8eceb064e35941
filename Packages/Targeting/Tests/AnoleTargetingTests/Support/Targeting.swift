// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting

/// Fixed points in time.
enum Time {
  /// 2023-11-14T22:13:20Z, a Tuesday.
  static let now: Int64 = 1_700_000_000_000
  /// 00:00 UTC of that day.
  static let midnight: Int64 = 1_699_920_000_000
  static let visitStart: Int64 = now - 600_000
  static let day: Int64 = 86_400_000
}

/// Builds indexes from the JSON text of their parts.
enum Fixture {
  static let visitorCode = "visitor"
  static let sdk = SDKIdentity(name: "SWIFT", version: "4.27.3")

  /// Two conditions whose answers are known.
  static let yes = #"{"targetingType":"VISITOR_CODE","matchType":"EXACT","visitorCode":"visitor"}"#
  static let no = #"{"targetingType":"VISITOR_CODE","matchType":"EXACT","visitorCode":"nobody"}"#

  static func reference(_ id: Int) -> String { #"{"targetingType":"SEGMENT","segmentId":\#(id)}"# }

  /// A condition with `isInclude` set to a JSON text.
  static func condition(_ text: String, isInclude: String) -> String {
    #"{"isInclude":\#(isInclude),"# + text.dropFirst()
  }

  static func excluded(_ text: String) -> String { condition(text, isInclude: "false") }

  /// `conditionsData` with one group.
  static func tree(_ conditions: [String], operators: [Bool] = []) -> String {
    #"{"firstLevel":[\#(group(conditions, operators: operators))],"firstLevelOrOperators":[]}"#
  }

  static func group(_ conditions: [String], operators: [Bool] = []) -> String {
    #"{"conditions":\#(list(conditions)),"orOperators":\#(list(operators))}"#
  }

  static func tree(groups: [String], operators: [Bool] = []) -> String {
    #"{"firstLevel":\#(list(groups)),"firstLevelOrOperators":\#(list(operators))}"#
  }

  static func list<Element>(_ elements: [Element]) -> String {
    "[" + elements.map { "\($0)" }.joined(separator: ",") + "]"
  }

  /// - Parameters:
  ///   - trees: the `conditionsData` of the segments 1, 2, 3 …
  ///   - rest: further members of the data file, each with a comma before it.
  static func index(trees: [String], rest: String = "", sdk: SDKIdentity = sdk) throws
    -> SegmentIndex
  {
    let segments = trees.enumerated().map { #"{"id":\#($0 + 1),"conditionsData":\#($1)}"# }
    return try index(segments: segments, rest: rest, sdk: sdk)
  }

  static func index(segments: [String], rest: String = "", sdk: SDKIdentity = sdk) throws
    -> SegmentIndex
  {
    let text = #"{"segments":\#(list(segments))\#(rest)}"#
    return SegmentIndex(try DataFile(parsing: Array(text.utf8)), sdk: sdk)
  }

  static func index(condition: String, rest: String = "") throws -> SegmentIndex {
    try index(trees: [tree([condition])], rest: rest)
  }

  static func record(_ data: [VisitorDatum] = []) -> VisitorRecord {
    var record = VisitorRecord(visitStart: Timestamp(milliseconds: Time.visitStart))
    for datum in data {
      record.add(
        datum, visitorCode: visitorCode, from: .application(isTracked: true),
        at: Timestamp(milliseconds: Time.now), catalogue: CustomDataCatalogue())
    }
    return record
  }

  static func subject(
    _ data: [VisitorDatum] = [], code: String = visitorCode, moment: Moment = moment
  ) -> TargetingSubject {
    TargetingSubject(visitorCode: code, record: record(data), moment: moment)
  }

  static let moment = Moment(now: Timestamp(milliseconds: Time.now))
}

extension SegmentIndex {
  /// The answer of the first segment.
  func answer(_ subject: TargetingSubject = Fixture.subject(), campaign: Int64? = nil) -> Bool {
    matches(segmentAt: 0, subject, campaign: campaign)
  }

  /// The note on the first condition of the first segment.
  func note(_ subject: TargetingSubject = Fixture.subject(), campaign: Int64? = nil) -> String? {
    explain(segmentAt: 0, subject, campaign: campaign).groups.first?.conditions.first?.note
  }
}

extension VisitorDatum {
  static func values(_ index: Int, _ values: String...) -> VisitorDatum {
    .customData(index: index, values: values)
  }

  static func assigned(_ experiment: Int64, _ variation: Int64, at time: Int64 = Time.now)
    -> VisitorDatum
  {
    .assignment(
      Assignment(
        experimentID: experiment, variationID: variation, origin: .experimentation,
        time: Timestamp(milliseconds: time), isSent: false))
  }

  static func personalized(_ id: Int64, at time: Int64 = Time.now) -> VisitorDatum {
    .personalization(
      Personalization(id: id, variationID: 1, time: Timestamp(milliseconds: time)))
  }

  static func converted(_ goal: Int64, at time: Int64 = Time.now) -> VisitorDatum {
    .conversion(Conversion(goalID: goal, time: Timestamp(milliseconds: time)))
  }

  /// Previous visits by their starts, most recent first.
  static func previousVisits(_ starts: Int64...) -> VisitorDatum {
    .visits(
      starts.map {
        Visit(
          start: Timestamp(milliseconds: $0), lastActivity: Timestamp(milliseconds: $0 + 1_000))
      })
  }

  static func page(_ url: String, _ title: String? = nil, count: Int = 1, at time: Int64)
    -> VisitorDatum
  {
    .pageViews(
      PageView(url: url, title: title, count: count, lastTime: Timestamp(milliseconds: time)))
  }

  static func place(_ country: String, _ region: String? = nil, _ city: String? = nil)
    -> VisitorDatum
  {
    .geolocation(Geolocation(country: country, region: region, city: city))
  }
}
