// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleStorage
import Testing

@testable import AnoleTracking

@Suite("Queue of visitors")
struct VisitorQueueTests {
  private static func queue(_ codes: [String]) -> VisitorQueue {
    var queue = VisitorQueue()
    for code in codes { _ = queue.insert(VisitorQueue.Key(code)) }
    return queue
  }

  @Test("a visitor waits once, at its first place")
  func set() {
    var queue = Self.queue(["b", "a", "b", "c", "a"])
    #expect(queue.count == 3)
    #expect(queue.insert(VisitorQueue.Key("c")) == .present)
    #expect(queue.takeAll().codes == ["b", "a", "c"])
    #expect(queue.isEmpty)
    #expect(queue.takeAll().codes.isEmpty)
  }

  @Test("at its limit it takes no new code, and knows those that it has")
  func limit() {
    var queue = Self.queue(["a", "b"])
    #expect(queue.insert(VisitorQueue.Key("c"), limit: 2) == .full)
    #expect(queue.insert(VisitorQueue.Key("b"), limit: 2) == .present)
    queue.remove(VisitorQueue.Key("a"))
    #expect(queue.insert(VisitorQueue.Key("c"), limit: 2) == .inserted)
    #expect(queue.codes == ["b", "c"])
  }

  @Test("who is taken out can be queued again, at the end")
  func removal() {
    var queue = Self.queue(["a", "b"])
    queue.remove(VisitorQueue.Key("a"))
    queue.remove(VisitorQueue.Key("unknown"))
    #expect(!queue.contains(VisitorQueue.Key("a")) && queue.contains(VisitorQueue.Key("b")))
    #expect(queue.insert(VisitorQueue.Key("a")) == .inserted)
    #expect(queue.takeAll().codes == ["b", "a"])
  }

  @Test("codes are bytes: a composed and a decomposed é are two visitors")
  func bytes() {
    var queue = Self.queue(["été", "e\u{301}te\u{301}"])
    #expect(queue.count == 2)
    queue.remove(VisitorQueue.Key("été"))
    let left = queue.takeAll().codes
    #expect(left.map { Array($0.utf8) } == [[0x65, 0xCC, 0x81, 0x74, 0x65, 0xCC, 0x81]])
  }

  @Test("20,000 random steps give what a plain list gives")
  func model() {
    var random = SplitMix64(seed: 7)
    var queue = VisitorQueue()
    var list: [String] = []
    for step in 0..<20_000 {
      // Phases of growth and of shrinking, so that tables of several sizes are built anew.
      let code = "visitor \(random.next() % 700)"
      let isGrowing = step / 2_000 % 2 == 0
      if random.next() % 4 < (isGrowing ? 3 : 1) {
        let isNew = !list.contains(code)
        #expect(queue.insert(VisitorQueue.Key(code)) == (isNew ? .inserted : .present))
        if isNew { list.append(code) }
      } else {
        queue.remove(VisitorQueue.Key(code))
        list.removeAll { $0 == code }
      }
      guard step % 500 == 0 else { continue }
      #expect(queue.codes == list)
      #expect(queue.count == list.count)
    }
    #expect(queue.takeAll().codes == list)
    #expect(queue.codes.isEmpty)
  }
}

@Suite("Intake")
struct IntakeTests {
  private final class Bell: Sendable {
    let rings = Lock(0)
    var count: Int { rings.withLock { $0 } }
  }

  private func item(_ size: Int) -> OutboxItem {
    OutboxItem(body: Array(repeating: 1, count: size), acceptedAt: 0)
  }

  @Test("it is half full once until the next hand-over, and drops the newest when full")
  func events() {
    let bell = Bell()
    let intake = Intake(limits: .init(visitors: 4, events: 4, bytes: 100)) {
      bell.rings.withLock { $0 += 1 }
    }
    intake.submit([item(1)])
    #expect(bell.count == 0)
    intake.submit([item(2)])
    intake.submit([item(3), item(4), item(5)])
    #expect(bell.count == 1)
    let load = intake.take()
    #expect(load.items.map(\.body.count) == [1, 2, 3, 4])
    #expect(load.dropped == [.bufferFull: 1])
    intake.submit([item(60)])
    intake.submit([item(60)])
    #expect(bell.count == 2)
    #expect(intake.counts == (0, 1))
    #expect(intake.take().dropped == [.bufferFull: 1])
  }

  @Test("a full queue takes no new visitor; one that waits already is not lost")
  func visitors() {
    let bell = Bell()
    let intake = Intake(limits: .init(visitors: 2, events: 4, bytes: 100)) {
      bell.rings.withLock { $0 += 1 }
    }
    for code in ["a", "b", "c", "a"] { intake.enqueue(code) }
    #expect(bell.count == 1)
    #expect(intake.counts == (2, 0))
    let load = intake.take()
    #expect(load.visitorCodes == ["a", "b"])
    #expect(load.dropped == [.queueFull: 1])
  }

  @Test("a single visitor is taken without the others, with the events")
  func one() {
    let intake = Intake(limits: .init(visitors: 9, events: 9, bytes: 100)) {}
    for code in ["a", "b"] { intake.enqueue(code) }
    intake.submit([item(1)])
    let load = intake.take(.visitor("b"))
    #expect(load.visitorCodes == ["b"])
    #expect(load.items.count == 1)
    #expect(intake.take(.visitor("never queued")).visitorCodes == ["never queued"])
    #expect(intake.take().visitorCodes == ["a"])
  }

  @Test("after closing, everything is dropped and counted")
  func closed() {
    let intake = Intake(limits: .init(visitors: 9, events: 9, bytes: 100)) {}
    intake.submit([item(1)])
    intake.close()
    intake.submit([item(1), item(1)])
    intake.enqueue("a")
    let load = intake.take()
    #expect(load.items.count == 1 && load.visitorCodes.isEmpty)
    #expect(load.dropped == [.closed: 3])
  }
}
