// SPDX-License-Identifier: Apache-2.0

/// What can be read now and when that ends; never changed, replaced whole.
final class VisibleFlags: Sendable {
  static let none = VisibleFlags(.empty, until: .zero)

  private let flags: FlagSet
  private let end: Duration
  /// What remains when the older of two answers has ended.
  private let remainder: FlagSet
  private let remainderEnd: Duration

  /// Flags that are visible until a moment.
  init(_ flags: FlagSet, until end: Duration) {
    self.flags = flags
    self.end = end
    remainder = .empty
    remainderEnd = end
  }

  /// A complete answer under one that is not, each with its own end.
  init(complete: DatedFlags, under incomplete: DatedFlags) {
    let ends = (complete.end, incomplete.end)
    flags = complete.flags.replacing(with: incomplete.flags)
    end = min(ends.0, ends.1)
    remainder = ends.0 < ends.1 ? incomplete.flags : complete.flags
    remainderEnd = max(ends.0, ends.1)
  }

  /// The flags that are visible at a moment.
  func flags(at now: Duration) -> FlagSet {
    if now < end { return flags }
    return now < remainderEnd ? remainder : .empty
  }
}

/// The flags of one answer with their time.
struct DatedFlags: Sendable {
  /// How long an answer is good for (RF-24).
  static let lifetime = Duration.seconds(86_400)

  let flags: FlagSet
  /// When the request was sent, by the monotonic clock.
  let moment: Duration

  var end: Duration { moment + Self.lifetime }
}
