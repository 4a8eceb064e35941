// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// Decides for ranges of visitors and counts.
struct SimulationWorker: Sendable {
  /// What is counted of a mutually exclusive group.
  struct GroupCounts: Sendable {
    /// For each member, how many visitors it may be evaluated for.
    var open: [Int]
    var inHoldout = 0
    var blocked = 0
    /// Visitors of a member that is switched off.
    var switchedOff = 0
    var several = 0
    /// The lowest numbers of those counted in ``several``.
    var severalNumbers: [Int] = []
  }

  /// How a flag took part in the walk of one visitor.
  private enum Passage {
    case open, inHoldout, excluded, blocked, switchedOff
  }

  private let plan: SimulationPlan
  /// Keys and records of this worker alone: threads that share them wait for each other's reference
  /// counts.
  private let keys: [String]
  private let records: [VisitorRecord]
  private let snapshot: Snapshot
  private let moment: Moment
  private(set) var tallies: [OutcomeTally]
  private(set) var groups: [GroupCounts]
  /// Visitors who are in the holdout for at least one flag.
  private(set) var holdoutCount = 0
  private var passages: [Passage]

  init(_ plan: SimulationPlan) {
    self.plan = plan
    keys = plan.flags.map { String(decoding: Array($0.key.utf8), as: UTF8.self) }
    records = plan.crowd.records(plan.snapshot.customData)
    snapshot = plan.snapshot
    moment = plan.crowd.population.moment
    tallies = plan.flags.map { _ in OutcomeTally() }
    groups = plan.groups.map { GroupCounts(open: $0.members.map { _ in 0 }) }
    passages = plan.flags.map { _ in .switchedOff }
  }

  /// Decides for the visitors of a range.
  mutating func run(_ range: ClosedRange<Int>) {
    var codes = VisitorCodeWriter(prefix: plan.crowd.population.prefix, before: range.lowerBound)
    for number in range {
      let code = codes.next()
      let combination = plan.crowd.combination(of: number)
      guard plan.isPersonal else {
        visit(code, number, records[combination])
        continue
      }
      visit(
        code, number,
        plan.crowd.record(of: combination, visitorCode: code, plan.snapshot.customData))
    }
  }

  @inline(__always)
  private mutating func visit(_ code: String, _ number: Int, _ record: VisitorRecord) {
    var isInHoldout = false
    for position in tallies.indices {
      let passage = decide(position, code, record)
      if passage == .inHoldout { isInHoldout = true }
      passages[position] = passage
    }
    if isInHoldout { holdoutCount += 1 }
    for group in groups.indices { count(group, number) }
  }

  @inline(__always)
  private mutating func decide(
    _ position: Int, _ code: String, _ record: VisitorRecord
  ) -> Passage {
    guard plan.flags[position].isEnabled else {
      tallies[position].count(FlagOutcome(.switchedOff))
      return .switchedOff
    }
    do throws(EvaluationError) {
      let decision = try snapshot.decide(
        keys[position], visitorCode: code, record: record, at: moment)
      tallies[position].count(decision)
      switch decision.reason {
      case .inHoldout: return .inHoldout
      case .excludedByGroup: return .excluded
      default: return .open
      }
    } catch {
      tallies[position].count(FlagOutcome(error))
      // With a holdout the refusal ends the evaluation before the group, else behind it.
      return snapshot.dataFile.holdout == nil ? .open : .blocked
    }
  }

  private mutating func count(_ group: Int, _ number: Int) {
    var openCount = 0
    var isHeldOut = false
    var isBlocked = false
    for (member, flag) in plan.groups[group].members.enumerated() {
      switch passages[flag] {
      case .open:
        openCount += 1
        groups[group].open[member] += 1
      case .inHoldout: isHeldOut = true
      case .blocked: isBlocked = true
      case .excluded, .switchedOff: break
      }
    }
    switch openCount {
    case 1: break
    case 0 where isHeldOut: groups[group].inHoldout += 1
    case 0 where isBlocked: groups[group].blocked += 1
    case 0: groups[group].switchedOff += 1
    default:
      groups[group].several += 1
      groups[group].severalNumbers.insertAmongLowest(number)
    }
  }
}

extension [Int] {
  /// How many examples are kept.
  static let exampleCount = 5

  /// Keeps the lowest numbers, sorted, so that examples do not depend on who came first.
  mutating func insertAmongLowest(_ number: Int) {
    if count >= Self.exampleCount, let last, number > last { return }
    let position = firstIndex { $0 > number } ?? count
    insert(number, at: position)
    if count > Self.exampleCount { removeLast() }
  }
}
