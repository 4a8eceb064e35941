// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import Testing

@Suite("Lock")
struct LockTests {
  private struct Refused: Error, Equatable {}

  private final class Account: Sendable {
    let balance = Lock(0)

    func pay(_ amount: Int) throws(Refused) -> Int {
      try balance.withLock { balance throws(Refused) in
        guard balance >= amount else { throw Refused() }
        balance -= amount
        return balance
      }
    }
  }

  private final class Witness: Sendable {
    let count: Counter
    init(_ count: Counter) { self.count = count }
    deinit { count.value.withLock { $0 += 1 } }
  }

  private final class Counter: Sendable {
    let value = Lock(0)
  }

  @Test("no update of eight tasks is lost")
  func updates() async {
    let account = Account()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<10_000 { account.balance.withLock { $0 += 1 } }
        }
      }
    }
    #expect(account.balance.withLock { $0 } == 80_000)
  }

  @Test("a typed error passes through and leaves the lock free")
  func typedError() throws {
    let account = Account()
    #expect(throws: Refused()) { try account.pay(1) }
    account.balance.withLock { $0 = 5 }
    #expect(try account.pay(2) == 3)
  }

  @Test("the value is released with the lock")
  func release() {
    let count = Counter()
    do {
      let lock = Lock([Witness(count), Witness(count)])
      lock.withLock { witnesses in _ = witnesses.removeLast() }
      #expect(count.value.withLock { $0 } == 1)
    }
    #expect(count.value.withLock { $0 } == 2)
  }
}
