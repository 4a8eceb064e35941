// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleStorageTesting
import Testing

@testable import AnoleRemoteFlags

@Suite("The plan under random use")
struct PlanModelTests {
  /// Drives a plan and keeps what has to be true whatever happens.
  private struct Driver {
    var plan: FlagPlan
    var generator: SplitMix64
    var moment = Duration.seconds(100_000)
    var wall: Int64 = 1_790_000_000_000
    /// The request under way, and the generation it was sent in.
    var request: (number: Int, generation: Int, users: String)?
    /// Requests whose answers nobody wants, which arrive all the same.
    var obsolete: [Int] = []
    var waiting: Set<Int> = []
    var delivered: Set<Int> = []
    var nextWaiter = 0
    var requestCount = 0
    var storedUsers: [String] = []

    init(seed: UInt64) {
      plan = FlagPlan(
        subject: FlagPlan.Subject(application: ExactText("APP"), user: ExactText("u0")),
        conditions: FlagPlan.Conditions(), stored: nil, now: moment)
      generator = SplitMix64(seed: seed)
    }

    var now: FlagPlan.Now { FlagPlan.Now(moment: moment, wall: wall) }

    mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &generator) }

    mutating func perform(_ actions: [FlagPlan.Action]) throws {
      for action in actions {
        switch action {
        case .forget:
          try #require(plan.visibleFlags(at: moment).isEmpty, "a former user's flags are visible")
        case .store(let set, let generation):
          try #require(generation == plan.subject.generation)
          try #require(set.user == plan.subject.user.text)
          storedUsers.append(set.user)
        case .request(let number):
          try #require(request == nil, "two requests at once")
          try #require(plan.refusal == nil, "a request although none may leave")
          request = (number, plan.subject.generation, plan.subject.user.text)
          requestCount += 1
        case .cancel(let number):
          try #require(request?.number == number)
          obsolete.append(number)
          request = nil
        case .deliver(let delivery):
          for waiter in delivery.waiters {
            try #require(delivered.insert(waiter).inserted, "delivered twice")
            try #require(waiting.remove(waiter) != nil)
          }
          try #require(delivery.error == nil || delivery.changedKeys.isEmpty)
        }
      }
    }

    private mutating func answer() -> FlagPlan.Outcome {
      let user = request?.users ?? ""
      func entries(_ count: Int) -> [FlagEntry] {
        (0..<count).map { index in
          FlagEntry(
            key: "k\(index)", isEnabled: true, ruleID: "r",
            values: ByteTable([(key: "user", value: .string(user))]))
        }
      }
      switch roll(6) {
      case 0: return .failed(.noAnswer("x"), retryAfter: nil)
      case 1: return .failed(.status(503), retryAfter: .seconds(roll(5_000)))
      case 2: return .notSent(.notSent("x"))
      case 3: return .answered(entries(roll(4)), isComplete: false)
      default: return .answered(entries(roll(4)), isComplete: true)
      }
    }

    mutating func step() throws {
      switch roll(14) {
      case 0...2:
        moment += .seconds(roll(4_000))
        wall += Int64(roll(4_000)) * 1_000
        if let deadline = plan.nextDeadline, deadline <= moment {
          let before = requestCount
          try perform(plan.timeHasCome(now))
          try #require(requestCount == before + 1, "a deadline at which nothing is due")
        }
      case 3, 4:
        nextWaiter += 1
        waiting.insert(nextWaiter)
        try perform(plan.refresh(waiter: nextWaiter, now))
      case 5, 6, 7:
        guard let request else { return }
        let outcome = answer()
        self.request = nil
        try perform(plan.finish(request.number, outcome, now))
      case 8:
        // An answer that comes too late changes nothing.
        guard let number = obsolete.randomElement(using: &generator) else { return }
        let before = plan.visibleFlags(at: moment)
        let late = FlagEntry(key: "late", isEnabled: true, ruleID: "", values: ByteTable([]))
        let actions = plan.finish(number, .answered([late], isComplete: true), now)
        try #require(actions.isEmpty)
        try #require(plan.visibleFlags(at: moment) === before)
      case 9:
        if let actions = plan.setUser(ExactText("u\(roll(3))"), now) { try perform(actions) }
      case 10:
        let code = roll(4) == 0 ? nil : ExactText("APP\(roll(2))")
        if let actions = plan.setApplication(code, stored: nil, now) { try perform(actions) }
      case 11:
        if plan.isActive { plan.enterBackground(now) } else { try perform(plan.becomeActive(now)) }
      case 12:
        try perform(plan.registerForPush(now))
      default:
        var conditions = plan.conditions
        if roll(2) == 0 {
          conditions.allowsCommunication.toggle()
        } else {
          conditions.hasAddress.toggle()
        }
        try perform(plan.update(conditions, now))
      }
      try check()
    }

    private func check() throws {
      for content in plan.visibleFlags(at: moment).contents {
        let user = content.entry.values["user"]?.stringValue
        try #require(user == plan.subject.user.text, "a value of another user is visible")
        try #require(moment - content.source.moment < DatedFlags.lifetime, "older than 24 h")
      }
      if request == nil { try #require(waiting.isEmpty, "somebody waits for nothing") }
      if !plan.conditions.hasAddress { try #require(plan.visibleFlags(at: moment).isEmpty) }
    }
  }

  @Test("20,000 random steps keep every rule", arguments: 1...8 as ClosedRange<UInt64>)
  func random(_ seed: UInt64) throws {
    var driver = Driver(seed: seed)
    let steps = TestRun.isSanitized ? 2_000 : 20_000
    for _ in 0..<steps { try driver.step() }
    #expect(driver.requestCount > steps / 200)
    #expect(driver.storedUsers.count > steps / 1_000)
    #expect(driver.delivered.count > steps / 200)
    // At the end nobody is left waiting.
    var conditions = driver.plan.conditions
    conditions.isClosed = true
    try driver.perform(driver.plan.update(conditions, driver.now))
    #expect(driver.waiting.isEmpty)
  }

  @Test("answers with any byte changed are read or refused; nothing crashes")
  func mutatedAnswers() {
    let text = #"""
      {"status_code":200,"status_message":"OK","response":{"flags":[{"key":"caf\u00e9","enabled":true,
      "rule_id":"r_1","properties":{"n":-1.5e3,"s":"\ud83d\uded2","o":{"a":[1,{"b":null}]},"t":true}},
      {"key":"b","enabled":false,"rule_id":""}],"partial":false},"base_url":"https://n.example/json/1.3/"}
      """#
    let original = Array(text.utf8)
    let wire = JSONFeatureFlagWire()
    var generator = SplitMix64(seed: 26)
    var readCount = 0
    for round in 0..<(TestRun.isSanitized ? 2_000 : 20_000) {
      var bytes = original
      for _ in 0...round % 4 {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        case 2:
          bytes.insert(
            contentsOf: Array(#""[{}],:0"#.utf8).shuffled(using: &generator).prefix(1), at: place)
        default: bytes.removeLast(Int.random(in: 0..<min(5, bytes.count), using: &generator))
        }
      }
      if let answer = try? wire.decode(bytes) {
        readCount += 1
        for flag in answer.flags where flag.key.isEmpty { Issue.record("an empty key") }
      }
    }
    #expect(readCount > 100)
  }
}
