// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

/// What a comparison of decisions has to decide, found out once.
struct MovePlan: Sendable {
  struct PlannedFlag: Sendable {
    let key: String
    /// What is decided without asking: the flag is absent or switched off.
    let oldFixed: FlagOutcome?
    let newFixed: FlagOutcome?

    /// Whether both files have the flag.
    var isInBoth: Bool { oldFixed?.status != .absent && newFixed?.status != .absent }
  }

  let old: Snapshot
  let new: Snapshot
  let crowd: Crowd
  let flags: [PlannedFlag]
  /// Whether each visitor's record depends on the visitor code.
  let isPersonal: Bool

  init(
    _ old: Snapshot, _ new: Snapshot, _ featureKeys: [String]?, _ population: VisitorPopulation
  ) throws(AnalysisError) {
    self.old = old
    self.new = new
    crowd = try Crowd(population)
    try crowd.requireUsableData([old.customData, new.customData])
    var seen: Set<ExactText> = []
    let keys = featureKeys ?? (new.featureKeys + old.featureKeys)
    flags = keys.filter { seen.insert(ExactText($0)).inserted }.map { key in
      PlannedFlag(
        key: key, oldFixed: Self.fixed(key, old.dataFile), newFixed: Self.fixed(key, new.dataFile))
    }
    let records = crowd.records(old.customData) + crowd.records(new.customData)
    isPersonal = records.contains { $0.mappingIdentifier != nil }
  }

  private static func fixed(_ key: String, _ dataFile: DataFile) -> FlagOutcome? {
    guard let flag = dataFile.visibleFlag(key) else { return FlagOutcome(.absent) }
    return flag.isEnvironmentEnabled ? nil : FlagOutcome(.switchedOff)
  }

  /// How many visitors a range has: a few milliseconds of work.
  var rangeSize: Int { max(64, 8_192 / max(flags.count, 1)) }
}

/// Decides by two data files for ranges of visitors and counts the transitions.
struct MoveWorker: Sendable {
  /// Visitors with the same two outcomes.
  struct Pair: Sendable {
    let old: Int
    let new: Int
    let isMove: Bool
    var count = 0
    /// The lowest numbers.
    var numbers: [Int] = []
  }

  struct FlagCounts: Sendable {
    var old = OutcomeTally()
    var new = OutcomeTally()
    var pairs: [Pair] = []
  }

  private let plan: MovePlan
  /// Keys and records of this worker alone: threads that share them wait for each other's reference
  /// counts.
  private let keys: [String]
  private let oldRecords: [VisitorRecord]
  private let newRecords: [VisitorRecord]
  private(set) var flags: [FlagCounts]
  /// Visitors who get another variation of at least one flag that both files have.
  private(set) var movedCount = 0

  init(_ plan: MovePlan) {
    self.plan = plan
    keys = plan.flags.map { String(decoding: Array($0.key.utf8), as: UTF8.self) }
    oldRecords = plan.crowd.records(plan.old.customData)
    newRecords = plan.crowd.records(plan.new.customData)
    flags = plan.flags.map { _ in FlagCounts() }
  }

  /// Decides for the visitors of a range.
  mutating func run(_ range: ClosedRange<Int>) {
    var codes = VisitorCodeWriter(prefix: plan.crowd.population.prefix, before: range.lowerBound)
    for number in range {
      let code = codes.next()
      let combination = plan.crowd.combination(of: number)
      guard plan.isPersonal else {
        visit(code, number, oldRecords[combination], newRecords[combination])
        continue
      }
      visit(
        code, number,
        plan.crowd.record(of: combination, visitorCode: code, plan.old.customData),
        plan.crowd.record(of: combination, visitorCode: code, plan.new.customData))
    }
  }

  private mutating func visit(
    _ code: String, _ number: Int, _ oldRecord: VisitorRecord, _ newRecord: VisitorRecord
  ) {
    var isMoved = false
    for position in flags.indices {
      let flag = plan.flags[position]
      let old = decide(
        keys[position], flag.oldFixed, code, oldRecord, plan.old, &flags[position].old)
      let new = decide(
        keys[position], flag.newFixed, code, newRecord, plan.new, &flags[position].new)
      if count(old, new, number, &flags[position]), flag.isInBoth { isMoved = true }
    }
    if isMoved { movedCount += 1 }
  }

  /// - Returns: the position of the outcome in the tally.
  private func decide(
    _ key: String, _ fixed: FlagOutcome?, _ code: String, _ record: VisitorRecord,
    _ snapshot: Snapshot, _ tally: inout OutcomeTally
  ) -> Int {
    if let fixed { return tally.count(fixed) }
    do throws(EvaluationError) {
      return tally.count(
        try snapshot.decide(
          key, visitorCode: code, record: record, at: plan.crowd.population.moment))
    } catch {
      return tally.count(FlagOutcome(error))
    }
  }

  /// - Returns: whether the visitor gets another variation.
  private func count(_ old: Int, _ new: Int, _ number: Int, _ flag: inout FlagCounts) -> Bool {
    let known = flag.pairs.firstIndex { $0.old == old && $0.new == new }
    let position = known ?? flag.pairs.count
    if known == nil {
      let outcomes = (flag.old.outcomes[old], flag.new.outcomes[new])
      flag.pairs.append(
        Pair(
          old: old, new: new, isMove: !outcomes.0.servesSameVariation(as: outcomes.1)))
    }
    flag.pairs[position].count += 1
    flag.pairs[position].numbers.insertAmongLowest(number)
    return flag.pairs[position].isMove
  }
}
