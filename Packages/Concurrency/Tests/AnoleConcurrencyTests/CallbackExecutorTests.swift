// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import Dispatch
import Testing

@Suite("Callback executors")
struct CallbackExecutorTests {
  private final class Log: Sendable {
    let entries = Lock<[Int]>([])
    func append(_ entry: Int) { entries.withLock { $0.append(entry) } }
    var all: [Int] { entries.withLock { $0 } }
  }

  @Test("a serial executor keeps the order of the calls")
  func order() async {
    let log = Log()
    let executor = SerialCallbackExecutor.platformDefault(label: "test")
    await withCheckedContinuation { done in
      for index in 0..<1_000 { executor.execute { log.append(index) } }
      executor.execute { done.resume() }
    }
    #expect(log.all == Array(0..<1_000))
  }

  @Test("the main executor runs on the main queue")
  func main() async {
    await withCheckedContinuation { done in
      SerialCallbackExecutor.main.execute {
        dispatchPrecondition(condition: .onQueue(.main))
        done.resume()
      }
    }
  }

  @Test("the inline executor has run the work when it returns")
  func inline() {
    let log = Log()
    let executor: any CallbackExecutor = InlineCallbackExecutor()
    executor.execute { log.append(1) }
    #expect(log.all == [1])
  }
}
