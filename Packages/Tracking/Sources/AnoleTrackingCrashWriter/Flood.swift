// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleStorage
import AnoleTracking

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A source in which every visitor has one exposure.
struct ExposureSource: TrackingSource {
  func takeEvents(of visitorCode: String) -> VisitorEvents? {
    VisitorEvents(
      identity: .visitorCode(visitorCode),
      events: [.experiment(experimentID: 300_102, variationID: 990_112)])
  }

  func takeRecordChanges() -> [RecordChange] { [] }
}

/// The greatest values seen.
struct Peaks: Sendable {
  var memory = 0
  var queued = 0
}

let taskCount = 8

/// Accepts events of as many visitors from eight tasks, half of them through a source; says how much
/// memory grew after the first tenth, then waits for a line, and sends.
func flood(_ tracker: Tracker, count: Int) async {
  tracker.start(source: ExposureSource())
  await accept(0..<count / 10, tracker) {}
  await tracker.persist()
  // Whatever a request needs has been needed once.
  var deliveries = tracker.deliveries.makeAsyncIterator()
  _ = await deliveries.next()
  let peaks = Lock(Peaks())
  let start = residentKibibytes()
  await accept(count / 10..<count, tracker) {
    let memory = residentKibibytes()
    let queued = await tracker.status().storedEvents
    peaks.withLock { peaks in
      peaks.memory = max(peaks.memory, memory)
      peaks.queued = max(peaks.queued, queued)
    }
  }
  await tracker.persist()
  let peak = peaks.withLock { $0 }
  say("grown \(max(peak.memory, residentKibibytes()) - start)")
  say("queued \(max(peak.queued, await tracker.status().storedEvents))")
  _ = readLine()
  while await tracker.status().storedEvents > 0 { await tracker.flush() }
  let status = await tracker.status()
  say("sent \(status.sent)")
  for (reason, count) in status.dropped { say("dropped \(count) \(reason)") }
  say("end \(residentKibibytes() - start)")
  await tracker.close()
  say("done")
}

/// Accepts an event for each number, from all tasks; `sample` is called now and then.
private func accept(
  _ numbers: Range<Int>, _ tracker: Tracker, sample: @escaping @Sendable () async -> Void
) async {
  await withTaskGroup(of: Void.self) { group in
    for task in 0..<taskCount {
      group.addTask {
        for (step, number) in stride(
          from: numbers.lowerBound + task, to: numbers.upperBound, by: taskCount
        ).enumerated() {
          let code = "visitor-\(number)"
          if task.isMultiple(of: 2) {
            tracker.enqueue(code)
          } else {
            tracker.submit([.conversion(goalID: 77, revenue: 12.5)], of: .visitorCode(code))
          }
          if step % 10_000 == 9_999 { await sample() }
        }
      }
    }
  }
}

/// The memory of this process in KiB; 0 where the system does not tell.
func residentKibibytes() -> Int {
  let file = open("/proc/self/statm", O_RDONLY)
  guard file >= 0 else { return 0 }
  defer { close(file) }
  var buffer = [UInt8](repeating: 0, count: 256)
  let length = read(file, &buffer, buffer.count)
  guard length > 0 else { return 0 }
  let fields = String(decoding: buffer[..<length], as: UTF8.self).split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
  return pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1_024
}
