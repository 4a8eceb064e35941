// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs the same work on several threads at once, each pinned to nothing, without Dispatch.
package enum Threads {
  private final class Job<Value> {
    let work: () throws(BenchmarkError) -> Value
    var result: Result<Value, BenchmarkError>?

    init(_ work: @escaping () throws(BenchmarkError) -> Value) { self.work = work }

    func run() {
      do throws(BenchmarkError) {
        result = .success(try work())
      } catch {
        result = .failure(error)
      }
    }
  }

  /// Wall time over the calls of all threads: every thread samples on its own at the same time, and a
  /// round's rate is the sum of their rates.
  ///
  /// - Returns: one value a round.
  package static func sample(
    _ count: Int, _ work: () throws(BenchmarkError) -> [Double]
  ) throws(BenchmarkError) -> [Double] {
    let results = try run(count, work)
    return results.first.map { first in
      first.indices.map { round in 1 / results.reduce(0) { $0 + 1 / $1[round] } }
    } ?? []
  }

  /// - Returns: the results of all threads, after the last has ended.
  private static func run(
    _ count: Int, _ work: () throws(BenchmarkError) -> [Double]
  ) throws(BenchmarkError) -> [[Double]] {
    let outcome = withoutActuallyEscaping(work) { work -> [Result<[Double], BenchmarkError>] in
      let jobs = (0..<count).map { _ in Job(work) }
      let threads = jobs.map { start($0) }
      for thread in threads { pthread_join(thread, nil) }
      return jobs.map { $0.result ?? .failure(BenchmarkError("a thread did not run")) }
    }
    var results: [[Double]] = []
    for item in outcome { results.append(try item.get()) }
    return results
  }

  private static func start(_ job: Job<[Double]>) -> pthread_t {
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(job).toOpaque()
    pthread_create(
      &thread, nil,
      { raw in
        guard let raw else { return nil }
        Unmanaged<Job<[Double]>>.fromOpaque(raw).takeRetainedValue().run()
        return nil
      }, argument)
    return thread
  }
}
