// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

@testable import AnoleAnalysis

private let phones = #"[\#(segment(7, #"{"targetingType": "DEVICE_TYPE", "device": "PHONE"}"#))]"#
private let tablets = phones.replacing("PHONE", with: "TABLET")
private let everyone =
  #"{"experimentId": 9, "variationByExposition": [{"variationKey": "in-holdout", "#
  + #""variationId": 8, "exposition": 1}]}"#

/// A change of a data file, the flag "f" for "anna" on a phone, and what is told to have changed it.
struct CauseCase: Sendable, CustomTestStringConvertible {
  let old: String
  let new: String
  let cause: [String]
  init(_ old: String, _ new: String, _ cause: String...) {
    self.old = old
    self.new = new
    self.cause = cause
  }
  var testDescription: String { cause.joined(separator: " | ") }
}

private let onlyOn = #"[{"variationKey": "on", "variationId": 5, "exposition": 1}]"#

let causeCases: [CauseCase] = [
  CauseCase(
    oneRule(), oneRule(enabled: false), "environment", "switched on", "switched off"),
  CauseCase(
    oneRule(split: onlyOn), oneRule(split: onlyOn, holdout: everyone), "holdout", "no holdout",
    "in it: hash 0.8565457424258359 in → in-holdout 0…1"),
  CauseCase(
    oneRule(split: onlyOn), oneRule(exposition: "0", split: onlyOn), "rule 2, admission",
    "hash of \"anna2\" = 0.3662231875990627 ≤ exposition 1.0: admitted",
    "hash of \"anna2\" = 0.3662231875990627 > exposition 0.0: not admitted"),
  CauseCase(
    oneRule(segment: "7", split: onlyOn, segments: phones),
    oneRule(segment: "7", split: onlyOn, segments: tablets), "rule 2, condition",
    "DEVICE_TYPE device=\"PHONE\": match", "DEVICE_TYPE device=\"TABLET\": no match"),
  CauseCase(
    oneRule(split: onlyOn), oneRule(segment: "7", split: onlyOn, segments: tablets),
    "rule 2, segment", "open to everybody", "segment 7: no match"),
  CauseCase(
    oneRule(split: onlyOn), oneRule(split: onlyOn.replacing(#""on""#, with: #""off""#)),
    "rule 2, range", "hash of \"anna3\" = 0.6438070300992363 in → on 0…1",
    "hash of \"anna3\" = 0.6438070300992363 in → off 0…1"),
  CauseCase(
    oneRule(type: "TARGETED_DELIVERY", split: onlyOn),
    oneRule(type: "TARGETED_DELIVERY", split: "[]"), "rule 2, delivery",
    "\"on\" (variation 5, experiment 3): a targeted delivery", "nothing to deliver"),
  CauseCase(
    oneRule(split: onlyOn),
    oneRule(split: onlyOn).replacing(#""id": 2"#, with: #""id": 1002"#)
      .replacing(#""on", "variationId": 5"#, with: #""on", "variationId": 6"#),
    "rule 1002, presence", "not looked at", "served"),
  CauseCase(
    oneRule(exposition: "0"),
    oneRule(exposition: "0").replacing(
      #""defaultVariationKey": "off""#, with: #""defaultVariationKey": "on""#),
    "default variation", "\"off\": default, no rule applied", "\"on\": default, no rule applied"),
  CauseCase(oneRule(), #"{"featureFlags": []}"#, "flag", "*", "no such flag"),
]

@Suite("What changed an answer")
struct TraceTests {
  private func trace(
    _ text: String, _ change: (inout VisitorRecord) -> Void = { _ in }
  ) throws -> DecisionTrace? {
    let file = try snapshot(text)
    var record = VisitorRecord(visitStart: testTime)
    record.add(
      .device(.phone), visitorCode: "anna", from: .application(isTracked: true), at: testTime,
      catalogue: file.customData)
    change(&record)
    guard file.featureKeys.contains("f") else { return nil }
    return try file.explain("f", visitorCode: "anna", record: record, at: Moment(now: testTime))
  }

  @Test("the first step that made the difference is named, before and after", arguments: causeCases)
  func causes(_ row: CauseCase) throws {
    let comparison = try TraceComparison(before: trace(row.old), after: trace(row.new))
    #expect(comparison.isAnswerChanged)
    let cause = try #require(comparison.cause)
    let lines = [cause.place, row.cause[1] == "*" ? "*" : cause.before, cause.after]
    #expect(lines == row.cause)
    #expect(comparison.document["cause"] == cause.document)
  }

  @Test("a new hash key is the cause, not where the visitor fell by it")
  func hashKey() throws {
    let file = oneRule(customData: #"[{"id": 5, "index": 1}]"#, bucketing: "5")
    var seen = 0
    for number in 1...40 {
      let comparison = try TraceComparison(
        before: trace(oneRule(customData: #"[{"id": 5, "index": 1}]"#)) {
          $0.add(
            .customData(index: 1, values: ["x\(number)"]), visitorCode: "anna",
            from: .application(isTracked: true), at: testTime, catalogue: CustomDataCatalogue())
        },
        after: trace(file) {
          $0.add(
            .customData(index: 1, values: ["x\(number)"]), visitorCode: "anna",
            from: .application(isTracked: true), at: testTime, catalogue: CustomDataCatalogue())
        })
      guard comparison.isAnswerChanged else {
        #expect(comparison.others.contains { $0.step == .hashKey })
        continue
      }
      seen += 1
      #expect(comparison.cause?.step == .hashKey)
      #expect(comparison.cause?.before == "\"anna\", the visitor code")
    }
    #expect((5...35).contains(seen))
  }

  @Test("consent that is newly asked for is the cause where the visitor refused it")
  func consent() throws {
    let asking = oneRule(split: onlyOn).replacing(
      #""segments""#, with: #""configuration": {"consentType": "REQUIRED"}, "segments""#)
    let refuse: (inout VisitorRecord) -> Void = { $0.setLegalConsent(false) }
    let comparison = try TraceComparison(
      before: trace(oneRule(split: onlyOn), refuse), after: trace(asking, refuse))
    #expect(comparison.cause?.step == .consent)
    #expect(comparison.cause?.before == "not required")
    let full = asking.replacing(
      #""REQUIRED""#, with: #""REQUIRED", "consentOptOutBehavior": "FULLY_BLOCK""#
    ).replacing(#""holdout": null"#, with: #""holdout": \#(everyone)"#)
    let blocked = try TraceComparison(
      before: trace(oneRule(split: onlyOn), refuse), after: trace(full, refuse))
    #expect(blocked.cause?.step == .consent)
  }

  @Test("a group that picks another flag, a forced variation, scores, and rules in another order")
  func others() throws {
    let other =
      #"{"id": 9, "featureKey": "z", "mutuallyExclusiveGroup": "g", "environmentEnabled": true}, "#
    func grouped(_ id: Int) -> String {
      oneRule(split: onlyOn).replacing(#"[{"id": 1, "#, with: "[" + other + #"{"id": \#(id), "#)
        .replacing(
          #""featureKey": "f""#, with: #""featureKey": "f", "mutuallyExclusiveGroup": "g""#)
    }
    let group = try TraceComparison(before: trace(grouped(1)), after: trace(grouped(20)))
    #expect(group.cause?.step == .group)
    let file = try snapshot(oneRule())
    let forced = try file.forcedVariation(experimentID: 3, variationKey: "off")
    let force = try TraceComparison(
      before: trace(oneRule(split: onlyOn)), after: trace(oneRule()) { $0.force(forced) })
    #expect(force.cause?.part == .forced)
    let scores = BanditScores([3: [4: 1]])
    let bandit = try TraceComparison(
      before: trace(
        oneRule(split: halves.replacing("0.5", with: "1"))
          .replacing(#""off", "variationId": 4"#, with: #""on", "variationId": 7"#)),
      after: trace(oneRule()) { record in
        record.add(
          .banditScores(scores), visitorCode: "anna", from: .application(isTracked: true),
          at: testTime, catalogue: CustomDataCatalogue())
      })
    #expect(bandit.cause?.part == .bandit)
    func rules(_ first: Int, _ second: Int) -> String {
      func rule(_ id: Int) -> String {
        #"{"id": \#(id), "type": "EXPERIMENTATION", "exposition": 0, "experimentId": \#(id), "#
          + #""variationByExposition": [{"variationKey": "v\#(id)", "exposition": 1}]}"#
      }
      return
        #"{"featureFlags": [{"id": 1, "featureKey": "f", "environmentEnabled": true, "rules": ["#
        + "\(rule(first)), \(rule(second))]}]}"
    }
    let order = try TraceComparison(before: trace(rules(1, 2)), after: trace(rules(2, 1)))
    #expect(!order.isAnswerChanged)
    #expect(order.others.map(\.part) == [.order])
    let opened = try TraceComparison(
      before: trace(rules(1, 2).replacing(#""exposition": 0"#, with: #""exposition": 1"#)),
      after: trace(rules(2, 1).replacing(#""exposition": 0"#, with: #""exposition": 1"#)))
    #expect(opened.cause?.step == .rule)
  }

  @Test("steps that one of the traces did not reach are not compared")
  func unreached() throws {
    let off = try TraceComparison(
      before: trace(oneRule(split: onlyOn, holdout: everyone)),
      after: trace(oneRule(enabled: false)))
    #expect(off.cause?.step == .environment)
    #expect(off.others.isEmpty)
    let held = try TraceComparison(
      before: trace(oneRule(split: onlyOn)), after: trace(oneRule(split: "[]", holdout: everyone)))
    #expect(held.cause?.step == .holdout)
    #expect(held.others.isEmpty)
  }

  @Test("the same answer has no cause; what differs without effect is told")
  func same() throws {
    let comparison = try TraceComparison(
      before: trace(oneRule(exposition: "1")), after: trace(oneRule(exposition: "0.9")))
    #expect(!comparison.isAnswerChanged)
    #expect(comparison.cause == nil)
    #expect(comparison.others.map(\.part) == [.admission])
    #expect(comparison.lines.contains("the answer is the same"))
    let equal = try TraceComparison(before: trace(oneRule()), after: trace(oneRule()))
    #expect(equal.others.isEmpty)
    #expect(TraceComparison(before: nil, after: nil).cause == nil)
    #expect(
      equal.document.objectValue?.map(\.key) == ["changed", "before", "after", "cause", "others"])
  }

  @Test(
    "wherever an answer changes between two files a cause is found, and its sides differ",
    arguments: edits)
  func always(_ edit: Edit) throws {
    let (old, new) = try edit.snapshots()
    let people = try population(
      300, "device=phone:0.5,tablet:0.2", "custom:1=pro:0.3", "custom:3=acme:0.5,globex:0.5",
      "consent=refused:0.3")
    var changed = 0
    for number in 1...people.count {
      let code = people.visitorCode(number)
      let records = [old, new].map { people.record(of: number, catalogue: $0.customData) }
      for key in new.featureKeys where old.featureKeys.contains(key) {
        let comparison = TraceComparison(
          before: try old.explain(
            key, visitorCode: code, record: records[0], at: people.moment),
          after: try new.explain(
            key, visitorCode: code, record: records[1], at: people.moment))
        let outcomes = [
          directOutcome(key, code, records[0], old), directOutcome(key, code, records[1], new),
        ]
        if !outcomes[0].servesSameVariation(as: outcomes[1]) {
          #expect(comparison.isAnswerChanged)
          changed += 1
        }
        guard comparison.isAnswerChanged else { continue }
        let cause = try #require(comparison.cause)
        #expect(cause.before != cause.after, "\(cause.place)")
      }
    }
    // Renaming a flag changes no answer of the flags that both files have.
    #expect((changed > 0) == !edit.new.contains("inbox"))
  }
}
