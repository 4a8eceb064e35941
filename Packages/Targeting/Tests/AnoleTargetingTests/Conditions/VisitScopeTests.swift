// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting
import Testing

/// Visits one, two and three days ago; the current one began at `Time.visitStart`.
private let starts: [Int64] = [
  Time.now - Time.day, Time.now - 2 * Time.day, Time.now - 3 * Time.day,
]
private let history = VisitorDatum.previousVisits(starts[0], starts[1], starts[2])

struct ScopeCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The fields `visitScope` and `visitCount`, each with a comma before it.
  let fields: String
  let history: [VisitorDatum]
  /// The earliest time that counts, by whether the type's default is the current visit.
  let currentByDefault: Int64
  let visitorByDefault: Int64

  init(
    _ name: String, _ fields: String, _ history: [VisitorDatum], currentByDefault: Int64,
    visitorByDefault: Int64
  ) {
    testDescription = name
    self.fields = fields
    self.history = history
    self.currentByDefault = currentByDefault
    self.visitorByDefault = visitorByDefault
  }

  init(_ name: String, _ fields: String, _ history: [VisitorDatum], _ threshold: Int64) {
    self.init(
      name, fields, history, currentByDefault: threshold, visitorByDefault: threshold)
  }
}

private let current = #","visitScope":"CURRENT_VISIT""#
private let visitor = #","visitScope":"VISITOR""#

private let scopeCases: [ScopeCase] = [
  ScopeCase("unknown history", current, [], 0),
  ScopeCase("unknown history, visitor", visitor + #","visitCount":1"#, [], 0),
  ScopeCase("current visit", current, [history], Time.visitStart),
  ScopeCase("current visit, any count", current + #","visitCount":3"#, [history], Time.visitStart),
  ScopeCase("lower case", #","visitScope":"current_visit""#, [history], Time.visitStart),
  ScopeCase("lower case visitor", #","visitScope":"Visitor""#, [history], starts[2]),
  ScopeCase("visitor, default count", visitor, [history], starts[2]),
  ScopeCase("visitor, count 1", visitor + #","visitCount":1"#, [history], Time.visitStart),
  ScopeCase("visitor, count 2", visitor + #","visitCount":2"#, [history], starts[0]),
  ScopeCase("visitor, count 3", visitor + #","visitCount":3"#, [history], starts[1]),
  ScopeCase("visitor, count 4", visitor + #","visitCount":4"#, [history], starts[2]),
  ScopeCase("more than there are", visitor + #","visitCount":99"#, [history], starts[2]),
  ScopeCase("count 0 is 25", visitor + #","visitCount":0"#, [history], starts[2]),
  ScopeCase("negative count is 25", visitor + #","visitCount":-2"#, [history], starts[2]),
  ScopeCase("count as text is 25", visitor + #","visitCount":"2""#, [history], starts[2]),
  ScopeCase("fractional count is 25", visitor + #","visitCount":2.5"#, [history], starts[2]),
  ScopeCase(
    "huge count", visitor + #","visitCount":9223372036854775807"#, [history], starts[2]),
  ScopeCase("no previous visit", visitor, [.visits([])], Time.visitStart),
  ScopeCase(
    "default", "", [history], currentByDefault: Time.visitStart, visitorByDefault: starts[2]),
  ScopeCase(
    "unknown scope", #","visitScope":"FOREVER""#, [history], currentByDefault: Time.visitStart,
    visitorByDefault: starts[2]),
  ScopeCase(
    "scope of another kind", #","visitScope":7,"visitCount":2"#, [history],
    currentByDefault: Time.visitStart, visitorByDefault: starts[0]),
]

/// One condition of each type with a scope, and an item of it at a time.
struct ScopedType: Sendable {
  let name: String
  let fields: String
  let isCurrentByDefault: Bool
  let item: @Sendable (Int64) -> VisitorDatum
  /// Whether an item in scope makes the condition false (`EXCLUSIVE_EXPERIMENT`).
  var isInverted = false
}

private let scopedTypes: [ScopedType] = [
  ScopedType(
    name: "CONVERSIONS", fields: #""goalId":5"#, isCurrentByDefault: false,
    item: { .converted(5, at: $0) }),
  ScopedType(
    name: "TARGET_EXPERIMENT", fields: #""experimentId":5,"variationMatchType":"ANY""#,
    isCurrentByDefault: true, item: { .assigned(5, 1, at: $0) }),
  ScopedType(
    name: "TARGET_FEATURE_FLAG", fields: #""featureFlagId":9"#, isCurrentByDefault: true,
    item: { .assigned(5, 1, at: $0) }),
  ScopedType(
    name: "TARGET_PERSONALIZATION", fields: #""personalizationId":5"#, isCurrentByDefault: true,
    item: { .personalized(5, at: $0) }),
  ScopedType(
    name: "EXCLUSIVE_EXPERIMENT", fields: #""campaignType":"EXPERIMENT""#,
    isCurrentByDefault: false, item: { .assigned(5, 1, at: $0) }, isInverted: true),
  ScopedType(
    name: "EXCLUSIVE_EXPERIMENT", fields: #""campaignType":"PERSONALIZATION""#,
    isCurrentByDefault: false, item: { .personalized(5, at: $0) }, isInverted: true),
]

private let flag =
  #","featureFlags":[{"id":9,"featureKey":"f","rules":[{"id":1,"experimentId":5}]}]"#

@Suite("Visit scopes (4.2)")
struct VisitScopeTests {
  @Test("only items from the threshold on count, for all five types", arguments: scopeCases)
  func threshold(_ row: ScopeCase) throws {
    for type in scopedTypes {
      let text = #"{"targetingType":"\#(type.name)",\#(type.fields)\#(row.fields)}"#
      let index = try Fixture.index(condition: text, rest: flag)
      let threshold = type.isCurrentByDefault ? row.currentByDefault : row.visitorByDefault
      for (time, isInScope) in [(threshold, true), (threshold + 1, true), (threshold - 1, false)] {
        let subject = Fixture.subject(row.history + [type.item(time)])
        #expect(
          index.answer(subject, campaign: 77) == (isInScope != type.isInverted),
          "\(type.name) at \(time - threshold)")
      }
    }
  }

  @Test("only the 25 most recent visits are known, older items do not count")
  func oldestKnownVisit() throws {
    let starts = (1...30).map { Time.now - Int64($0) * Time.day }
    let visits = starts.map {
      Visit(start: Timestamp(milliseconds: $0), lastActivity: Timestamp(milliseconds: $0))
    }
    let index = try Fixture.index(condition: #"{"targetingType":"CONVERSIONS"}"#)
    let oldest = starts[23]  // Visit number min(25 − 2, …), counting from 0.
    #expect(index.answer(Fixture.subject([.visits(visits), .converted(1, at: oldest)])))
    #expect(!index.answer(Fixture.subject([.visits(visits), .converted(1, at: oldest - 1)])))
  }
}
