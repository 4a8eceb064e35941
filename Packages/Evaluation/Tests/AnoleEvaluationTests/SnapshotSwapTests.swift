// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

/// Reads while the configuration changes, after public reports on other SDKs.
///
/// Run it under the Thread Sanitizer too.
@Suite("Snapshots are swapped while they are read")
struct SnapshotSwapTests {
  private struct Shared: Sendable {
    var snapshot: Snapshot
    var record: VisitorRecord
    var readersAtWork: Int
    var swaps = 0
  }

  private struct Reading: Hashable, Sendable {
    let key: String
    let items: Int64?
  }

  private static let readers = 16
  #if THREAD_SANITIZER
    private static let reads = 1_000
  #else
    private static let reads = 20_000
  #endif
  private static let greatestNumberOfSwaps = 1_000_000

  private static func revision(_ key: String, items: Int) throws -> Snapshot {
    try FileText.snapshot(
      text: """
        {"segments":[\(FileText.segment(5, FileText.datum(1, "never", isInclude: false)))],
         "featureFlags":[{"featureKey":"checkout","environmentEnabled":true,
          "defaultVariationKey":"\(key)","variations":[{"key":"\(key)",
            "variables":[{"key":"max_items","type":"NUMBER","value":\(items)}]}],
          "rules":[\(FileText.rule(1, segment: 5, FileText.entry(key, 11)).text)]}]}
        """)
  }

  @Test("each of 16 readers sees (on, 3) or (off, 9), never a mixture")
  func consistent() async throws {
    let revisions = [
      try Self.revision("on", items: 3), try Self.revision("off", items: 9),
    ]
    let now = Timestamp(milliseconds: 1_760_000_000_000)
    let shared = Published(
      Shared(
        snapshot: revisions[0], record: VisitorRecord(visitStart: now),
        readersAtWork: Self.readers))
    let seen = await withTaskGroup(of: Set<Reading>.self) { group in
      group.addTask { await Self.write(revisions, to: shared) }
      group.addTask { await Self.changeVisitor(of: shared, at: now) }
      for _ in 0..<Self.readers {
        group.addTask { await Self.read(shared, at: now) }
      }
      return await group.reduce(into: Set<Reading>()) { $0.formUnion($1) }
    }
    let allowed: Set = [Reading(key: "on", items: 3), Reading(key: "off", items: 9)]
    #expect(seen == allowed)
    #expect(shared.current.swaps > 0)
    #expect(shared.current.record.consent != .unknown)
  }

  private static func write(
    _ revisions: [Snapshot], to shared: Published<Shared>
  ) async -> Set<Reading> {
    for swap in 1...greatestNumberOfSwaps {
      let isDone = shared.withValue { shared in
        shared.snapshot = revisions[swap % 2]
        shared.swaps = swap
        return shared.readersAtWork == 0
      }
      if isDone { break }
      await Task.yield()
    }
    return []
  }

  private static func changeVisitor(
    of shared: Published<Shared>, at now: Timestamp
  ) async -> Set<Reading> {
    for change in 0..<100 {
      shared.withValue { shared in
        shared.record.setLegalConsent(change.isMultiple(of: 2))
        shared.record.add(
          .customData(index: 1, values: ["\(change)"]), visitorCode: "visitor1",
          from: .application(isTracked: true), at: now, catalogue: shared.snapshot.customData)
      }
      await Task.yield()
    }
    return []
  }

  private static func read(_ shared: Published<Shared>, at now: Timestamp) async -> Set<Reading> {
    var seen: Set<Reading> = []
    for number in 0..<reads {
      let current = shared.current
      do throws(EvaluationError) {
        let decision = try current.snapshot.decide(
          "checkout", visitorCode: "visitor1", record: current.record, at: Moment(now: now))
        let variation = current.snapshot.variation(of: decision)
        seen.insert(
          Reading(
            key: decision.variationKey, items: variation.variable("max_items")?.value.intValue))
      } catch {
        seen.insert(Reading(key: error.description, items: nil))
      }
      if number.isMultiple(of: 20) { await Task.yield() }
    }
    shared.withValue { $0.readersAtWork -= 1 }
    return seen
  }
}
