// SPDX-License-Identifier: Apache-2.0

/// Deals out ranges of visitors to workers that run side by side.
///
/// A worker is a value that counts; it goes from one range to the next, so that there are as many as
/// run at once. Which worker got which range is chance: what workers count must not depend on it.
enum ChunkRunner {
  /// Runs over 1…`count`.
  ///
  /// - Parameters:
  ///   - count: how many visitors there are.
  ///   - size: how many a range has; cancelling takes effect between ranges.
  ///   - threads: how many workers run at once, at least 1.
  ///   - worker: a worker that has counted nothing.
  ///   - work: lets a worker count a range.
  ///   - progress: hears how many visitors are done, in growing numbers, one call at a time.
  /// - Returns: the workers, in no particular order.
  @concurrent
  static func run<Worker: Sendable>(
    count: Int, size: Int, threads: Int, worker: @Sendable () -> Worker,
    work: @escaping @Sendable (inout Worker, ClosedRange<Int>) -> Void,
    progress: (@Sendable (Int) -> Void)?
  ) async throws(AnalysisError) -> [Worker] {
    var next = 1
    func takeRange() -> ClosedRange<Int>? {
      guard next <= count else { return nil }
      let range = next...min(next + size - 1, count)
      next += size
      return range
    }
    let workers = await withTaskGroup(of: (worker: Worker, done: Int).self) { group in
      func start(_ worker: Worker, _ range: ClosedRange<Int>) {
        group.addTask {
          guard !Task.isCancelled else { return (worker, 0) }
          var worker = worker
          work(&worker, range)
          return (worker, range.count)
        }
      }
      var idle: [Worker] = []
      var done = 0
      for _ in 0..<max(threads, 1) {
        guard let range = takeRange() else { break }
        start(worker(), range)
      }
      while let result = await group.next() {
        done += result.done
        progress?(done)
        if !Task.isCancelled, let range = takeRange() {
          start(result.worker, range)
        } else {
          idle.append(result.worker)
        }
      }
      return idle
    }
    guard !Task.isCancelled else { throw .cancelled }
    return workers
  }
}
