// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// The guided demonstration: the facts, computed once, and their two presentations.
struct Demonstration {
  /// A visitor of the shop and what is said about them.
  struct Guest {
    let code: String
    /// In words.
    let about: String
    let items: [VisitorDatum]
  }

  static let guests = [
    Guest(code: "anna", about: "nothing is known", items: []),
    Guest(code: "ben", about: "nothing is known; falls into the holdout", items: []),
    Guest(code: "dora", about: "nothing is known", items: []),
    Guest(code: "hugo", about: "uses a phone", items: [.device(.phone)]),
    Guest(
      code: "leo", about: "nothing is known; not admitted to the experiment on checkout", items: []),
  ]
  static let explainedVisitor = "anna"
  static let explainedFlag = "checkout"
  static let gold = VisitorDatum.customData(index: 1, values: ["gold"])
  static let simulatedVisitors = 100_000

  let guests: [(guest: Guest, answers: [FlagAnswer])]
  /// The decision that is explained, and the same with a gold plan.
  let plain: DecisionTrace
  let withPlan: DecisionTrace
  let simulation: Simulation
  /// A change that arrives over the network.
  let change: LiveChange

  /// Decides everything that is shown.
  init(in environment: Environment) async throws(Failure) {
    let source = try DataSource(
      Array(ShopDataFile.text.utf8), name: DataSource.name(of: nil), in: environment)
    let snapshot = source.snapshot
    let plainVisitor = VisitorDescription(
      moment: Moment(now: environment.now(), utcOffsetSeconds: 0))
    guests = Self.guests.map { guest in
      var visitor = plainVisitor
      visitor.items = guest.items
      var record = visitor.record(of: guest.code, snapshot)
      return (
        guest,
        FlagAnswer.decide(
          snapshot.featureKeys, visitorCode: guest.code, record: &record, visitor, snapshot)
      )
    }
    let code = Self.explainedVisitor
    var goldVisitor = plainVisitor
    goldVisitor.items = [Self.gold]
    plain = try ExplainCommand.trace(Self.explainedFlag, code, plainVisitor, snapshot)
    withPlan = try ExplainCommand.trace(Self.explainedFlag, code, goldVisitor, snapshot)
    do throws(AnalysisError) {
      simulation = try await Simulation.run(
        [Self.explainedFlag], in: snapshot,
        population: VisitorPopulation(
          count: Self.simulatedVisitors, moment: plainVisitor.moment))
    } catch {
      throw error.failure
    }
    change = try await LiveChange(in: environment)
  }

  // MARK: - JSON

  var document: JSONValue {
    let visitors = guests.map { guest, answers -> JSONValue in
      [
        "visitor": .string(guest.code), "about": .string(guest.about),
        "flags": .array(answers.map(\.document)),
      ]
    }
    return [
      "visitors": .array(visitors), "explanation": plain.document,
      "explanationWithGoldPlan": withPlan.document, "simulation": simulation.document,
      "change": change.document,
    ]
  }
}
