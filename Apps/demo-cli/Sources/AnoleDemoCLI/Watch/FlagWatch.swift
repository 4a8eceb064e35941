// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import kameleoonClient

/// Follows flags of a client.
struct FlagWatch: Sendable {
  /// What the visitor gets of a flag at one moment.
  struct State: Sendable, Equatable {
    let flag: String
    /// The variation; nil while the flag cannot be decided.
    let variation: String?
    let isActive: Bool
    /// The reason for programs: that of a decision, or why there is none.
    let reason: String
    /// The reason in words.
    let explanation: String
    let ruleID: Int?
  }

  let client: any AnoleClient
  let flags: [String]

  /// What the visitor gets of a flag now.
  func state(of flag: String) -> State {
    do {
      let decision = try client.decision(featureKey: flag)
      return State(
        flag: flag, variation: decision.variation.key, isActive: decision.isActive,
        reason: decision.reason.rawValue, explanation: decision.reason.sentence,
        ruleID: decision.ruleId)
    } catch KameleoonError.Feature.environmentDisabled {
      return State(flag: flag, failure: "environmentDisabled", "the flag is switched off")
    } catch KameleoonError.Feature.notFound {
      return State(flag: flag, failure: "featureNotFound", "the data file has no such flag")
    } catch {
      return State(flag: flag, failure: "notDecided", "\(error)")
    }
  }

  /// Tells the present states, then every change, until so many were told or nobody listens.
  ///
  /// - Parameters:
  ///   - limit: how many changes; nil for no end.
  ///   - tell: gets a state and the one before; returns false if nobody reads any more.
  /// - Returns: whether it ended by itself, not by cancellation.
  func follow(limit: Int?, tell: (State, State?) -> Bool) async -> Bool {
    let (signals, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // A flag that can no longer be decided is told by the handler alone.
    client.updateConfigurationHandler { continuation.yield() }
    let followers = flags.map { flag in
      let changes = client.changes(of: flag)
      return Task { for await _ in changes { continuation.yield() } }
    }
    defer { for follower in followers { follower.cancel() } }
    var states = flags.map { state(of: $0) }
    for state in states where !tell(state, nil) { return true }
    var told = 0
    if limit == 0 { return true }
    for await _ in signals {
      for (position, flag) in flags.enumerated() {
        let state = state(of: flag)
        guard state != states[position] else { continue }
        guard tell(state, states[position]) else { return true }
        states[position] = state
        told += 1
        if told == limit { return true }
      }
    }
    return false
  }
}

extension FlagWatch.State {
  fileprivate init(flag: String, failure: String, _ explanation: String) {
    self.init(
      flag: flag, variation: nil, isActive: false, reason: failure, explanation: explanation,
      ruleID: nil)
  }

  /// What is got, in words.
  private var value: String { variation.map { Printable.line($0) } ?? "nothing" }

  /// A line for people.
  func text(after former: FlagWatch.State?, at time: Timestamp) -> String {
    let change = former.map { "\($0.value) → " } ?? ""
    let rule = ruleID.map { " (rule \($0))" } ?? ""
    return "\(TimeText.text(time))  \(Printable.line(flag)): \(change)\(value), "
      + "\(Printable.line(explanation))\(rule)"
  }

  /// A line for programs.
  func document(after former: FlagWatch.State?, at time: Timestamp) -> JSONValue {
    .members([
      ("time", .string(TimeText.text(time))), ("flag", .string(flag)),
      ("variation", .text(variation)), ("active", .bool(isActive)), ("reason", .string(reason)),
      ("explanation", .string(explanation)), ("ruleId", .id(ruleID.map { Int64($0) })),
      ("changed", .bool(former != nil)), ("former", former.map { .text($0.variation) }),
    ])
  }
}
