// SPDX-License-Identifier: Apache-2.0

import AnoleTargeting

/// Watches an evaluation.
///
/// The pipeline is generic over it, so that ``NoRecorder`` costs nothing.
protocol Recorder {
  /// Whether anything is recorded; a constant, so that unrecorded work is compiled away.
  static var isOn: Bool { get }
  /// Changes the trace.
  mutating func record(_ change: (inout DecisionTrace) -> Void)
}

/// Records nothing.
struct NoRecorder: Recorder {
  /// Gives the recorder an address: passed `inout`, a type without storage has none, and the
  /// Thread Sanitizer crashes on what it is given instead.
  private var storage: UInt8 = 0

  static var isOn: Bool { false }
  @inline(__always)
  mutating func record(_ change: (inout DecisionTrace) -> Void) {}
}

/// Keeps the trace.
struct TraceRecorder: Recorder {
  static var isOn: Bool { true }
  var trace: DecisionTrace

  mutating func record(_ change: (inout DecisionTrace) -> Void) { change(&trace) }
}

extension Recorder {
  /// Changes the rule that is being looked at.
  @inline(__always)
  mutating func recordRule(_ change: (inout DecisionTrace.Rule) -> Void) {
    guard Self.isOn else { return }
    record { trace in
      guard !trace.rules.isEmpty else { return }
      change(&trace.rules[trace.rules.count - 1])
    }
  }
}
