// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleStorage
import Testing

@testable import AnoleTracking

@Suite("Queue of visitors")
struct VisitorQueueTests {
  @Test("a visitor waits once, at its first place")
  func set() {
    var queue = VisitorQueue()
    for code in ["b", "a", "b", "c", "a"] { queue.insert(code) }
    #expect(queue.count == 3)
    #expect(queue.takeAll() == ["b", "a", "c"])
    #expect(queue.isEmpty)
    #expect(queue.takeAll().isEmpty)
  }

  @Test("who is taken out can be queued again, at the end")
  func removal() {
    var queue = VisitorQueue()
    for code in ["a", "b"] { queue.insert(code) }
    queue.remove("a")
    queue.remove("unknown")
    #expect(!queue.contains("a") && queue.contains("b"))
    queue.insert("a")
    #expect(queue.takeAll() == ["b", "a"])
  }

  @Test("codes are bytes: a composed and a decomposed é are two visitors")
  func bytes() {
    var queue = VisitorQueue()
    queue.insert("été")
    queue.insert("e\u{301}te\u{301}")
    #expect(queue.count == 2)
    queue.remove("été")
    #expect(queue.takeAll().map { Array($0.utf8) } == [[0x65, 0xCC, 0x81, 0x74, 0x65, 0xCC, 0x81]])
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
