// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleWireRecordings

/// Checks the lists of recorded values, each case by a client of its own.
enum WireVectors {
  /// What became of a case.
  enum Outcome: Sendable {
    case passed
    case differs(String)
    case skipped(String)
    /// The specification decides against the recorded value.
    case decided(WireReport.Decision)

    /// Passed if two values are equal.
    static func compare<Value: Equatable>(
      _ name: String, expected: Value, actual: Value
    ) -> Outcome {
      expected == actual ? .passed : .differs("\(name): expected \(expected), got \(actual)")
    }
  }

  /// How many cases run side by side.
  private static let parallelCases = 16

  private typealias Check = @Sendable (JSONValue) async throws -> Outcome

  static func run(_ document: JSONValue, name: String) async throws -> WireReport.Entry {
    var entry = WireReport.Entry(name: name)
    guard let cases = document["cases"]?.arrayValue, !cases.isEmpty else {
      entry.fail("has no \"cases\"")
      return entry
    }
    guard let check = check(name) else {
      for _ in cases { entry.skip("no such list is known") }
      return entry
    }
    let outcomes = try await sideBySide(cases) { item in
      try await outcome { try await check(item) }
    }
    for (position, outcome) in outcomes.enumerated() {
      switch outcome {
      case .passed: entry.passed += 1
      case .differs(let difference):
        entry.fail(difference, of: "case \(position + 1) \(cases[position].text().prefix(120))")
      case .skipped(let reason): entry.skip(reason)
      case .decided(let decision):
        entry.passed += 1
        if !entry.decisions.contains(decision) { entry.decisions.append(decision) }
      }
    }
    return entry
  }

  private static func check(_ name: String) -> Check? {
    switch name {
    case "vectors_basic_authorization": AddressVectors.authorization
    case "vectors_config_values": SettingVectors.effectiveValue
    case "vectors_event_lines": LineVectors.line
    case "vectors_hosts": AddressVectors.hosts
    case "vectors_network_domain": AddressVectors.networkDomain
    case "vectors_percent_encoding": AddressVectors.percentEncoding
    case "vectors_token_lifetimes": TokenVectors.lifetime
    case "vectors_urls": AddressVectors.url
    case "vectors_visitor_code": SettingVectors.visitorCode
    default: nil
    }
  }

  /// Checks cases side by side.
  ///
  /// - Returns: the outcomes in the order of the cases.
  static func sideBySide(
    _ cases: [JSONValue], _ check: @escaping @Sendable (JSONValue) async throws -> Outcome
  ) async throws -> [Outcome] {
    try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
      var waiting = Array(cases.enumerated())[...]
      var outcomes = [Outcome](repeating: .passed, count: cases.count)
      func add() {
        guard let (position, item) = waiting.popFirst() else { return }
        group.addTask { (position, try await check(item)) }
      }
      for _ in 0..<parallelCases { add() }
      while let (position, outcome) = try await group.next() {
        outcomes[position] = outcome
        add()
      }
      return outcomes
    }
  }

  /// The outcome of a check; an error other than a cancellation is a difference.
  static func outcome(of check: () async throws -> Outcome) async throws -> Outcome {
    do {
      return try await check()
    } catch let error as CancellationError {
      throw error
    } catch {
      return .differs("\(error)")
    }
  }
}

extension JSONValue {
  /// A text of a case.
  func text(_ key: String) throws(WireFormatError) -> String {
    guard let text = self[key]?.stringValue else { throw WireFormatError("\"\(key)\" is no text") }
    return text
  }

  /// A number of a case.
  func integer(_ key: String) throws(WireFormatError) -> Int64 {
    guard let value = self[key]?.integerValue else {
      throw WireFormatError("\"\(key)\" is no integer")
    }
    return value
  }
}
