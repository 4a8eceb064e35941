// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleModelsTesting
import AnoleTargeting

/// Visitors with random data that has something to do with their data file.
enum RandomVisitor {
  private static let texts = [
    "pro", "free", "gold", "silver", "yes", "no", "true", "false", "0", "1", "5", "42", "3.5",
    "-7", "", "acme", "member-1", "ÄÖÜ", "not a number",
  ]

  static func make(
    _ code: String, of snapshot: Snapshot, using generator: inout SeededGenerator
  ) -> TestVisitor {
    var visitor = TestVisitor(code, of: snapshot)
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
    let indexes = snapshot.dataFile.customData.map(\.index) + [0, 1, 2]
    for index in indexes where chance(45) {
      let count = Int.random(in: 0...3, using: &generator)
      let values = (0..<count).map { _ in texts.randomElement(using: &generator) ?? "" }
      visitor.add(.customData(index: index, values: values))
    }
    if chance(50) { visitor.record.setLegalConsent(chance(40)) }
    if chance(60) {
      visitor.add(.device(Device.allCases.randomElement(using: &generator) ?? .phone))
    }
    if chance(60) {
      let system = OperatingSystem.allCases.randomElement(using: &generator) ?? .linux
      visitor.add(.operatingSystem(system))
    }
    if chance(50) {
      let country = ["France", "FRANCE", "Germany", "Spain"].randomElement(using: &generator)
      visitor.add(
        .geolocation(Geolocation(country: country ?? "", city: chance(50) ? "Paris" : nil)))
    }
    if chance(50) {
      let major = Int.random(in: 0...5, using: &generator)
      visitor.add(.applicationVersion("\(major).\(Int.random(in: 0...9, using: &generator)).0"))
    }
    addHistory(&visitor, using: &generator)
    addExperiments(&visitor, using: &generator)
    if chance(10) { visitor.record.adoptMappingIdentifier("anonymous-\(code)") }
    return visitor
  }

  private static func addHistory(
    _ visitor: inout TestVisitor, using generator: inout SeededGenerator
  ) {
    var time = visitor.now.milliseconds
    let count = Int.random(in: -1...4, using: &generator)
    if count >= 0 {
      let visits = (0..<count).map { _ in
        time -= Int64.random(in: 1_000...90_000_000, using: &generator)
        return Visit(
          start: Timestamp(milliseconds: time), lastActivity: Timestamp(milliseconds: time + 500))
      }
      visitor.add(.visits(visits))
    }
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      let age = Int64.random(in: 0...200_000_000, using: &generator)
      visitor.add(
        .conversion(
          Conversion(
            goalID: Int64.random(in: 1...5, using: &generator),
            time: Timestamp(milliseconds: visitor.now.milliseconds - age))))
    }
  }

  /// Assignments, scores, forced and simulated variations of the file's own experiments.
  private static func addExperiments(
    _ visitor: inout TestVisitor, using generator: inout SeededGenerator
  ) {
    var scores: [Int64: [Int64: Double]] = [:]
    var simulated: [SimulatedVariation] = []
    for flag in visitor.snapshot.dataFile.featureFlags {
      for rule in flag.rules {
        guard let entry = rule.split.randomElement(using: &generator),
          let variationID = entry.variationID
        else { continue }
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<10:
          visitor.add(
            .assignment(
              Assignment(
                experimentID: rule.experimentID, variationID: variationID, origin: .other,
                time: visitor.now, isSent: true)))
        case 10..<25:
          scores[rule.experimentID] = Dictionary(
            rule.split.compactMap(\.variationID).map { id in
              (id, Double(Int.random(in: 0...2, using: &generator)))
            }, uniquingKeysWith: { first, _ in first })
        case 25..<30:
          visitor.record.force(
            ForcedVariation(
              experimentID: rule.experimentID, entry: entry,
              isTargetingForced: Bool.random(using: &generator)))
        case 30..<32:
          simulated.append(
            SimulatedVariation(
              featureKey: flag.key, experimentID: rule.experimentID, variationID: variationID))
        default: break
        }
      }
    }
    if !scores.isEmpty { visitor.add(.banditScores(BanditScores(scores))) }
    if !simulated.isEmpty { visitor.record.simulate(simulated) }
  }
}
