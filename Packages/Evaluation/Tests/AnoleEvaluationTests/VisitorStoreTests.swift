// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleModelsTesting
import Testing

@Suite("Visitor store")
struct VisitorStoreTests {
  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: milliseconds)
  }

  /// Saves a variation for experiment 1, so that the record can be told from others.
  private static func mark(
    _ store: inout VisitorStore, _ code: String, _ variation: Int64, at milliseconds: Int64 = 0
  ) {
    store.withRecord(of: code, at: time(milliseconds)) {
      $0.save(
        experimentID: 1, variationID: variation, origin: .other, at: time(milliseconds),
        isTracked: true)
    }
  }

  private static func variation(_ store: VisitorStore, _ code: String) -> Int64? {
    store.record(of: code)?.assignments[1]?.variationID
  }

  @Test("records are kept by visitor code")
  func kept() {
    var store = VisitorStore(seed: 1)
    #expect(store.count == 0 && store.record(of: "a") == nil)
    Self.mark(&store, "a", 10)
    Self.mark(&store, "b", 20)
    Self.mark(&store, "a", 11)
    #expect(store.count == 2)
    #expect(Self.variation(store, "a") == 11 && Self.variation(store, "b") == 20)
    #expect(store.record(of: "A") == nil && store.record(of: "") == nil)
  }

  @Test("the visit of a new visitor starts when it is first seen, and only then")
  func visitStart() {
    var store = VisitorStore(seed: 1)
    Self.mark(&store, "a", 1, at: 100)
    Self.mark(&store, "a", 2, at: 900)
    #expect(store.record(of: "a")?.visitStart == Self.time(100))
  }

  @Test("what the body returns or throws comes out, and changes made before stay")
  func bodies() {
    struct Failure: Error, Equatable {}
    var store = VisitorStore(seed: 1)
    #expect(store.withRecord(of: "a", at: Self.time(0)) { _ in 7 } == 7)
    #expect(throws: Failure.self) {
      try store.withRecord(of: "a", at: Self.time(0)) { (record) throws(Failure) in
        record.setLegalConsent(true)
        throw Failure()
      }
    }
    #expect(store.record(of: "a")?.consent == .given)
  }

  @Test("invalid codes get a record that is not kept")
  func invalidCodes() {
    var store = VisitorStore(seed: 1)
    for code in ["", String(repeating: "x", count: 256)] {
      Self.mark(&store, code, 1)
      #expect(store.record(of: code) == nil)
      store.link(code, to: "a", at: Self.time(0))
      store.link("a", to: code, at: Self.time(0))
    }
    #expect(store.count == 0)
    Self.mark(&store, String(repeating: "é", count: 255), 1)
    #expect(store.count == 1)
  }

  @Test("linked codes share one record; what the user's code had is lost")
  func links() {
    var store = VisitorStore(seed: 1)
    Self.mark(&store, "anon", 1)
    Self.mark(&store, "user", 2)
    store.link("user", to: "anon", at: Self.time(1))
    #expect(Self.variation(store, "user") == 1)
    Self.mark(&store, "user", 3)
    #expect(Self.variation(store, "anon") == 3)
    Self.mark(&store, "anon", 4)
    #expect(Self.variation(store, "user") == 4)
    #expect(store.count == 2)
  }

  @Test("a link makes either visitor if need be")
  func linksOfStrangers() {
    var store = VisitorStore(seed: 1)
    store.link("user", to: "anon", at: Self.time(0))
    #expect(store.count == 2)
    Self.mark(&store, "anon", 1)
    #expect(Self.variation(store, "user") == 1)
    store.link("anon", to: "anon", at: Self.time(0))
    #expect(Self.variation(store, "anon") == 1)
  }

  @Test("a second user of the device shares the record as well")
  func twoUsers() {
    var store = VisitorStore(seed: 1)
    Self.mark(&store, "anon", 1)
    store.link("user 1", to: "anon", at: Self.time(0))
    store.link("user 2", to: "anon", at: Self.time(0))
    Self.mark(&store, "user 2", 5)
    #expect(Self.variation(store, "anon") == 5 && Self.variation(store, "user 1") == 5)
  }

  @Test("a link to another visitor replaces the earlier one")
  func relinked() {
    var store = VisitorStore(seed: 1)
    Self.mark(&store, "phone", 1)
    Self.mark(&store, "tablet", 2)
    store.link("user", to: "phone", at: Self.time(0))
    store.link("user", to: "tablet", at: Self.time(0))
    #expect(Self.variation(store, "user") == 2)
    Self.mark(&store, "user", 3)
    #expect(Self.variation(store, "phone") == 1 && Self.variation(store, "tablet") == 3)
  }

  @Test("the limit is kept by forgetting those seen longest ago")
  func limit() {
    var store = VisitorStore(limit: 100, seed: 1)
    for number in 0..<1000 {
      Self.mark(&store, "v\(number)", Int64(number), at: Int64(number))
      #expect(store.count <= 100)
      #expect(Self.variation(store, "v\(number)") == Int64(number))
    }
    for number in 911..<1000 { #expect(Self.variation(store, "v\(number)") == Int64(number)) }
    for number in 0..<900 { #expect(store.record(of: "v\(number)") == nil) }
  }

  @Test("where all were seen at once, a tenth is forgotten: those that came first")
  func limitAtOneTime() {
    var store = VisitorStore(limit: 100, seed: 1)
    for number in 0..<101 { Self.mark(&store, "v\(number)", Int64(number), at: 5) }
    #expect(store.count == 91)
    for number in 0..<10 { #expect(store.record(of: "v\(number)") == nil) }
    for number in 10..<101 { #expect(Self.variation(store, "v\(number)") == Int64(number)) }
  }

  @Test("being seen again keeps a visitor")
  func seenAgain() {
    var store = VisitorStore(limit: 10, seed: 1)
    for number in 0..<500 {
      Self.mark(&store, "regular", 7, at: Int64(number))
      Self.mark(&store, "v\(number)", 0, at: Int64(number))
    }
    #expect(Self.variation(store, "regular") == 7)
  }

  @Test("the limit has bounds of its own")
  func limits() {
    #expect(VisitorStore(limit: -1, seed: 0).limit == 10)
    #expect(VisitorStore(limit: .max, seed: 0).limit == 4_000_000)
    #expect(VisitorStore(seed: 0).limit == 1_000_000)
  }

  @Test("a link that is made when the store is full holds")
  func linkWhenFull() {
    for others in 0...12 {
      var store = VisitorStore(limit: 10, seed: 1)
      Self.mark(&store, "anon", 42, at: 0)
      for number in 0..<others { Self.mark(&store, "v\(number)", 0, at: Int64(number + 1)) }
      Self.mark(&store, "anon", 42, at: 99)
      store.link("user", to: "anon", at: Self.time(100))
      #expect(Self.variation(store, "user") == 42, "with \(others) others")
      #expect(Self.variation(store, "anon") == 42, "with \(others) others")
      Self.mark(&store, "user", 43, at: 101)
      #expect(Self.variation(store, "anon") == 43, "with \(others) others")
      #expect(store.count <= 10)
    }
  }

  @Test("so it does if the visitor was not seen for long, or all were seen at once")
  func linkOfOldVisitor() {
    for pace in [0, 1] as [Int64] {
      var store = VisitorStore(limit: 10, seed: 1)
      Self.mark(&store, "anon", 42)
      for number in 1...9 { Self.mark(&store, "v\(number)", 0, at: pace * Int64(number)) }
      store.link("user", to: "anon", at: Self.time(100 * pace))
      #expect(Self.variation(store, "user") == 42)
      #expect(Self.variation(store, "anon") == 42)
      Self.mark(&store, "user", 43, at: 101)
      #expect(Self.variation(store, "anon") == 43)
    }
  }

  @Test("forgetting visitors keeps the links among those that stay")
  func removal() {
    var store = VisitorStore(seed: 1)
    Self.mark(&store, "old", 1, at: 10)
    store.link("old user", to: "old", at: Self.time(10))
    Self.mark(&store, "anon", 2, at: 20)
    store.link("user", to: "anon", at: Self.time(20))
    Self.mark(&store, "user", 3, at: 30)
    store.removeVisitors(lastSeenBefore: Self.time(20))
    #expect(store.count == 2)
    #expect(store.record(of: "old") == nil && store.record(of: "old user") == nil)
    #expect(Self.variation(store, "anon") == 3 && Self.variation(store, "user") == 3)
    Self.mark(&store, "anon", 4, at: 40)
    #expect(Self.variation(store, "user") == 4)
    store.removeVisitors(lastSeenBefore: Self.time(41))
    #expect(store.count == 0 && store.record(of: "user") == nil)
    Self.mark(&store, "user", 5, at: 50)
    #expect(Self.variation(store, "user") == 5 && store.record(of: "anon") == nil)
  }

  @Test("a copy is a value of its own")
  func copies() {
    var store = VisitorStore(seed: 1)
    Self.mark(&store, "a", 1)
    var copy = store
    Self.mark(&copy, "a", 2)
    Self.mark(&copy, "b", 3)
    #expect(Self.variation(store, "a") == 1 && store.count == 1)
  }
}

/// The store, written down as plainly as possible; visitors are never forgotten unasked.
private struct PlainStore {
  private final class Entry {
    var variation: Int64?
    var lastSeen: Int64
    init(lastSeen: Int64) { self.lastSeen = lastSeen }
  }

  private var entries: [String: Entry] = [:]

  var codes: [String] { Array(entries.keys) }

  func variation(_ code: String) -> Int64?? { entries[code].map(\.variation) }

  private mutating func entry(_ code: String, _ now: Int64) -> Entry {
    if let entry = entries[code] { return entry }
    let entry = Entry(lastSeen: now)
    entries[code] = entry
    return entry
  }

  mutating func set(_ code: String, _ variation: Int64, _ now: Int64) {
    let entry = entry(code, now)
    entry.variation = variation
    entry.lastSeen = now
  }

  mutating func link(_ user: String, _ code: String, _ now: Int64) {
    entries[user] = entry(code, now)
    entries[user]?.lastSeen = now
  }

  mutating func remove(before time: Int64) {
    entries = entries.filter { $0.value.lastSeen >= time }
  }
}

@Suite("Visitor store and a plain dictionary")
struct VisitorStoreModelTests {
  @Test("after each of 50,000 random operations both agree", arguments: [1, 2] as [UInt64])
  func agree(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var store = VisitorStore(seed: generator.next())
    var model = PlainStore()
    let codes = (0..<300).map { "visitor-\($0)-" + String(repeating: "é", count: $0 % 40) }
    for step in 0..<25_000 {
      let now = Int64(step)
      let code = codes[Int.random(in: 0..<codes.count, using: &generator)]
      switch Int.random(in: 0..<100, using: &generator) {
      case 0..<60:
        store.withRecord(of: code, at: Timestamp(milliseconds: now)) {
          $0.save(
            experimentID: 1, variationID: now, origin: .other,
            at: Timestamp(milliseconds: now), isTracked: false)
        }
        model.set(code, now, now)
      case 60..<75:
        let user = codes[Int.random(in: 0..<codes.count, using: &generator)]
        store.link(user, to: code, at: Timestamp(milliseconds: now))
        model.link(user, code, now)
      case 75:
        let time = now - Int64.random(in: 0..<2000, using: &generator)
        store.removeVisitors(lastSeenBefore: Timestamp(milliseconds: time))
        model.remove(before: time)
      default: break
      }
      let found = store.record(of: code).map { $0.assignments[1]?.variationID }
      guard found == model.variation(code), step % 500 != 0 || Self.agree(store, model, codes)
      else {
        Issue.record("step \(step), seed \(seed): \(code)")
        return
      }
    }
    #expect(Self.agree(store, model, codes))
  }

  private static func agree(_ store: VisitorStore, _ model: PlainStore, _ codes: [String]) -> Bool {
    store.count == model.codes.count
      && codes.allSatisfy { code in
        store.record(of: code).map { $0.assignments[1]?.variationID } == model.variation(code)
      }
  }
}
