// SPDX-License-Identifier: Apache-2.0

/// What a workload measured, printed as one line of JSON.
public struct Measurement: Sendable {
  /// What was measured.
  public let metric: String
  /// The unit of the samples.
  public let unit: String
  /// One value a round.
  public let samples: [Double]
  /// Proves that the work was done.
  public let check: String

  package init(metric: String, unit: String, samples: [Double], check: String) {
    self.metric = metric
    self.unit = unit
    self.samples = samples
    self.check = check
  }

  /// The line of the contract.
  public func line(workload: String, threads: Int) -> String {
    let numbers = samples.map { "\(($0 * 10_000).rounded() / 10_000)" }.joined(separator: ",")
    return "{\"workload\":\"\(workload)\",\"metric\":\"\(metric)\",\"unit\":\"\(unit)\","
      + "\"threads\":\(threads),\"samples\":[\(numbers)],\"check\":\"\(check)\","
      + "\"peak_rss_kib\":\(System.peakResidentKiB())}"
  }
}

extension Options {
  /// Nanoseconds a call, one sample a round after one warm-up.
  package func sample(_ body: (Int) throws(BenchmarkError) -> Void) throws(BenchmarkError)
    -> [Double]
  {
    var samples: [Double] = []
    var index = 0
    for round in 0...rounds {
      let start = System.seconds()
      var calls = 0
      var elapsed = 0.0
      repeat {
        for _ in 0..<64 {
          try body(index)
          index += 1
        }
        calls += 64
        elapsed = System.seconds() - start
      } while elapsed < seconds
      if round > 0 { samples.append(elapsed / Double(calls) * 1e9) }
    }
    return samples
  }

  /// Seconds of whole passes, one sample a round after one warm-up.
  package func samplePasses(
    _ pass: () throws(BenchmarkError) -> Double
  ) throws(BenchmarkError) -> [Double] {
    _ = try pass()
    var samples: [Double] = []
    for _ in 0..<rounds { samples.append(try pass()) }
    return samples
  }
}
