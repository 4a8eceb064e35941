// SPDX-License-Identifier: Apache-2.0

/// Who follows which flag of a client, and what each has seen last.
///
/// A plain value; the client guards it.
struct ChangeObservers: Sendable {
  typealias Continuation = AsyncStream<Types.Variation>.Continuation

  private struct Observer: Sendable {
    let featureKey: String
    let continuation: Continuation
    var last: Types.Variation?
  }

  private var observers: [Int: Observer] = [:]
  private var nextNumber = 0

  /// Whether nobody follows anything.
  var isEmpty: Bool { observers.isEmpty }

  /// The flags that somebody follows.
  var featureKeys: Set<String> { Set(observers.values.map(\.featureKey)) }

  /// Adds an observer.
  ///
  /// - Returns: its number.
  mutating func add(_ featureKey: String, _ continuation: Continuation) -> Int {
    defer { nextNumber += 1 }
    observers[nextNumber] = Observer(featureKey: featureKey, continuation: continuation)
    return nextNumber
  }

  /// Removes an observer.
  mutating func remove(_ number: Int) { observers[number] = nil }

  /// Removes all observers.
  mutating func removeAll() -> [Continuation] {
    defer { observers = [:] }
    return observers.values.map(\.continuation)
  }

  /// Notes the present variation of a flag.
  ///
  /// - Returns: those to whom it is new, in the order in which they came.
  mutating func update(_ featureKey: String, _ variation: Types.Variation) -> [Continuation] {
    let behind = observers.keys.sorted().filter {
      observers[$0]?.featureKey == featureKey && observers[$0]?.last != variation
    }
    for number in behind { observers[number]?.last = variation }
    return behind.compactMap { observers[$0]?.continuation }
  }
}
