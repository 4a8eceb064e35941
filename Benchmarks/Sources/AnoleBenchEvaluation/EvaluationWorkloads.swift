// SPDX-License-Identifier: Apache-2.0

public import AnoleBenchCore
import AnoleEvaluation
import AnoleModels
import AnoleTargeting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The workloads of the evaluator, which need neither disk nor network.
public struct EvaluationWorkloads: Sendable {
  /// The names of the workloads that ``run()`` measures.
  public static let names = ["W1", "W2", "W2R", "W3", "W4a", "W4b", "W5", "W7"]

  private let options: Options
  private let inputs: Inputs

  /// Prepares the workload of the options; nothing is read yet.
  public init(_ options: Options) {
    self.options = options
    inputs = Inputs(folder: options.data)
  }

  /// Runs the workload.
  ///
  /// - Throws: a sentence if the inputs are missing or a result is not what it has to be.
  public func run() throws(BenchmarkError) -> Measurement {
    switch options.workload {
    case "W1": return try oneFlag("w1", visitorCount: 1_000, hasData: false)
    case "W2": return try oneFlag("w2", visitorCount: 64, hasData: true)
    case "W2R": return try oneFlag("w2r", visitorCount: 64, hasData: true)
    case "W3": return try allFlags()
    case "W4a": return try parse("df1m.json")
    case "W4b": return try parse("df5m.json")
    case "W5": return try distinctVisitors()
    case "W7": return try memoryPerVisitor()
    default: throw BenchmarkError("unknown workload \(options.workload)")
    }
  }

  /// The variation key of `w1`, for the measurement of a whole process (W9).
  ///
  /// - Throws: a sentence if the inputs are missing.
  public func coldStart() throws(BenchmarkError) -> String {
    let snapshot = try inputs.snapshot("small.json")
    let code = try inputs.visitor().code
    let record = VisitorRecord(visitStart: Inputs.moment.now)
    return try Self.decide("w1", code, record, snapshot).variationKey
  }

  @inline(__always)
  private static func decide(
    _ key: String, _ code: String, _ record: VisitorRecord, _ snapshot: Snapshot
  ) throws(BenchmarkError) -> Decision {
    do throws(EvaluationError) {
      return try snapshot.decide(
        key, visitorCode: code, record: record, at: Inputs.moment)
    } catch {
      throw BenchmarkError(error.description)
    }
  }

  // MARK: - One flag

  private func oneFlag(
    _ key: String, visitorCount: Int, hasData: Bool
  ) throws(BenchmarkError) -> Measurement {
    let snapshot = try inputs.snapshot("small.json")
    let codes = Array(try inputs.visitors().prefix(visitorCount))
    let record =
      hasData ? try inputs.visitor().record : VisitorRecord(visitStart: Inputs.moment.now)
    var active = 0
    for code in codes where try Self.decide(key, code, record, snapshot).isActive { active += 1 }
    let samples =
      options.threads == 1
      ? try sampleCalls(key, codes, record, snapshot)
      : try sampleThreads(key, codes, record, snapshot)
    return Measurement(metric: "eval", unit: "ns/op", samples: samples, check: "\(active)")
  }

  private func sampleCalls(
    _ key: String, _ codes: [String], _ record: VisitorRecord, _ snapshot: Snapshot
  ) throws(BenchmarkError) -> [Double] {
    var sum = 0
    let samples = try options.sample { (index) throws(BenchmarkError) in
      let decision = try Self.decide(key, codes[index % codes.count], record, snapshot)
      sum &+= decision.variationKey.utf8.count
    }
    guard sum > 0 else { throw BenchmarkError("nothing was evaluated") }
    return samples
  }

  private func sampleThreads(
    _ key: String, _ codes: [String], _ record: VisitorRecord, _ snapshot: Snapshot
  ) throws(BenchmarkError) -> [Double] {
    try Threads.sample(options.threads) { () throws(BenchmarkError) in
      // Strings of its own, as every request has: sharing them would measure their counters.
      let own = codes.map { String(decoding: Array($0.utf8), as: UTF8.self) }
      return try sampleCalls(key, own, record, snapshot)
    }
  }

  // MARK: - Whole files

  private func allFlags() throws(BenchmarkError) -> Measurement {
    let snapshot = try inputs.snapshot("df500.json")
    var (code, record) = try inputs.visitor()
    var active = 0
    try Self.decideAll(code, &record, snapshot) { if $0.isActive { active += 1 } }
    var sum = 0
    let samples = try options.sample { (_) throws(BenchmarkError) in
      try Self.decideAll(code, &record, snapshot) { sum &+= $0.variationKey.utf8.count }
    }
    return Measurement(
      metric: "all_flags", unit: "ns/op", samples: samples, check: sum > 0 ? "\(active)" : "")
  }

  @inline(__always)
  private static func decideAll(
    _ code: String, _ record: inout VisitorRecord, _ snapshot: Snapshot,
    _ body: (Decision) -> Void
  ) throws(BenchmarkError) {
    do throws(EvaluationError) {
      try snapshot.decideAll(
        visitorCode: code, record: &record, at: Inputs.moment, saving: .none, body)
    } catch {
      throw BenchmarkError(error.description)
    }
  }

  private func parse(_ name: String) throws(BenchmarkError) -> Measurement {
    let bytes = try inputs.bytes(name)
    let code = try inputs.visitor().code
    let record = VisitorRecord(visitStart: Inputs.moment.now)
    // Kept until the next pass, so that freeing it is not part of the measurement.
    var kept = try Inputs.snapshot(bytes)
    guard let key = kept.featureKeys.last else { throw BenchmarkError("\(name): has no flags") }
    var variationKey = ""
    let samples = try options.samplePasses { () throws(BenchmarkError) in
      let start = System.seconds()
      let snapshot = try Inputs.snapshot(bytes)
      variationKey = try Self.decide(key, code, record, snapshot).variationKey
      let elapsed = System.seconds() - start
      kept = snapshot
      return elapsed * 1e3
    }
    guard kept.flagCount > 0 else { throw BenchmarkError("\(name): nothing was kept") }
    return Measurement(
      metric: "parse_to_first_eval", unit: "ms", samples: samples, check: variationKey)
  }

  // MARK: - Many visitors

  private func distinctVisitors() throws(BenchmarkError) -> Measurement {
    let snapshot = try inputs.snapshot("small.json")
    let codes = try inputs.visitors()
    var counts: [String: Int] = [:]
    let samples = try options.samplePasses { () throws(BenchmarkError) in
      var store = VisitorStore(limit: codes.count, seed: 0x5EED)
      var (off, on, second) = (0, 0, 0)
      let start = System.seconds()
      for code in codes {
        switch try Self.visit(code, &store, snapshot).variationKey {
        case "off": off += 1
        case "on": on += 1
        default: second += 1
        }
      }
      let elapsed = System.seconds() - start
      guard store.count == codes.count else { throw BenchmarkError("a visitor was not kept") }
      counts = ["off": off, "on": on, "v2": second]
      return elapsed / Double(codes.count) * 1e9
    }
    let check = ["off", "on", "v2"].map { "\($0) \(counts[$0] ?? 0)" }.joined(separator: " ")
    return Measurement(
      metric: "distinct_visitors", unit: "ns/op", samples: samples, check: check)
  }

  private func memoryPerVisitor() throws(BenchmarkError) -> Measurement {
    let snapshot = try inputs.snapshot("small.json")
    let codes = try inputs.visitors()
    let suffixes = "abcdefghij"
    var store = VisitorStore(limit: codes.count * suffixes.count, seed: 0x5EED)
    let before = try System.residentBytes()
    for suffix in suffixes {
      for code in codes { _ = try Self.visit("\(code)\(suffix)", &store, snapshot) }
    }
    let kept = try System.residentBytes() - before
    return Measurement(
      metric: "rss_per_visitor", unit: "bytes", samples: [Double(kept) / Double(store.count)],
      check: "\(store.count)")
  }

  /// A visitor comes by: decide on the kept state and save the assignment.
  @inline(__always)
  private static func visit(
    _ code: String, _ store: inout VisitorStore, _ snapshot: Snapshot
  ) throws(BenchmarkError) -> Decision {
    let moment = Moment(now: Timestamp(milliseconds: System.wallMilliseconds()))
    do throws(EvaluationError) {
      return try store.withRecord(of: code, at: moment.now) { (record) throws(EvaluationError) in
        let decision = try snapshot.decide("w5", visitorCode: code, record: record, at: moment)
        snapshot.save(decision, in: &record, at: moment.now, isTracked: true)
        return decision
      }
    } catch {
      throw BenchmarkError(error.description)
    }
  }
}
