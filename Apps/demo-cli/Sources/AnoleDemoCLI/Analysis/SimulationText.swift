// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleEvaluation
import AnoleModels

/// A simulation as lines.
struct SimulationText {
  private let simulation: Simulation

  init(_ simulation: Simulation) { self.simulation = simulation }

  var lines: [String] {
    var lines: [String] = []
    for (position, flag) in simulation.flags.enumerated() {
      if position > 0 { lines.append("") }
      lines += Self.flagLines(flag)
    }
    if simulation.flags.isEmpty { lines.append("the data file has no flags") }
    if let holdout = simulation.holdout {
      lines += ["", Self.line(holdout)]
    }
    for group in simulation.groups { lines += [""] + groupLines(group) }
    return lines
  }

  // MARK: - Flags

  private static func flagLines(_ flag: FlagSimulation) -> [String] {
    let title = "\(Printable.line(flag.featureKey)): \(Wording.count(flag.visitorCount, "visitor"))"
    let canPromise = flag.noExpectation == nil
    var table = Table([.left, .right, .right, .right, .right, .left])
    table.add(
      ["variation", "count", "share"] + (canPromise ? ["expected", "difference"] : ["", ""])
        + ["reason"])
    for row in flag.rows {
      table.add([
        row.outcome.variationKey ?? "-", Wording.grouped(row.count), Wording.percent(row.share),
        row.expectedShare.map(Wording.percent) ?? "",
        row.expectedShare.map { Wording.points(row.share - $0) } ?? "", row.outcome.explanation,
      ])
    }
    return [title] + table.lines + [verdict(flag)] + flag.remarks.map { "note: \($0)" }
  }

  private static func verdict(_ flag: FlagSimulation) -> String {
    guard let test = flag.test else { return flag.sentence }
    let degrees = Wording.count(
      test.degreesOfFreedom, "degree of freedom", plural: "degrees of freedom")
    return "chi-square \(Wording.decimals(test.statistic)), \(degrees), "
      + "\(Wording.probability(test.pValue)): \(flag.sentence)"
  }

  // MARK: - Overlaps

  private static func line(_ holdout: HoldoutOverlap) -> String {
    "holdout \(holdout.experimentID): \(Wording.count(holdout.count, "visitor")) in it, "
      + "\(Wording.percent(holdout.share)), expected \(Wording.percent(holdout.expectedShare))"
  }

  private func groupLines(_ group: GroupOverlap) -> [String] {
    var table = Table([.left, .right, .right, .right, .left])
    table.add(["  may get", "count", "share", "expected"])
    for member in group.members {
      table.add([
        "  \(member.featureKey)", Wording.grouped(member.count), Wording.percent(member.share),
        member.expectedShare.map(Wording.percent) ?? "", member.isEnabled ? "" : "switched off",
      ])
    }
    let rest: [(String, Int)] = [
      ("none, in the holdout", group.holdoutCount),
      ("none, consent was refused", group.blockedCount),
      ("none, dealt to a flag that is switched off", group.switchedOffCount),
    ]
    for (name, count) in rest where count > 0 {
      let share = Double(count) / Double(max(simulation.visitorCount, 1))
      table.add(["  \(name)", Wording.grouped(count), Wording.percent(share)])
    }
    let title = "group \(Printable.quote(group.name)): which of its flags visitors may get"
    guard !group.isExclusive else {
      return [title] + table.lines + ["  nobody may get two of them"]
    }
    let examples = Wording.list(group.severalExamples.map { Printable.line($0) }, "and")
    return [title] + table.lines + [
      "  \(Wording.count(group.severalCount, "visitor")) may get several of them, such as "
        + "\(examples); the group does not exclude: bucket its flags by one key"
    ]
  }
}
