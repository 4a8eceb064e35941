// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// What is different between two data files.
///
/// The texts of the files do not matter, only what is read from them: order of keys, unknown keys and
/// what cannot be used make no difference. `dateModified` alone makes none either.
public struct DataFileComparison: Sendable, Hashable {
  /// The differences: settings, custom data, segments, holdout, then flag by flag in the order of the
  /// newer file, flags that are gone last.
  public private(set) var changes: [Change] = []
  /// The flags for which a visitor may get something else; nil if it may be any.
  public private(set) var affectedFlags: [String]?

  /// Whether there is no difference.
  public var isEmpty: Bool { changes.isEmpty }

  /// Compares.
  public init(_ old: DataFile, _ new: DataFile) {
    compare(old.configuration, new.configuration)
    compareCustomData(old, new)
    compareSegments(old, new)
    compare(old.holdout, new.holdout)
    let sharedCount = changes.count
    let flags = Matching(old.visibleFlags, new.visibleFlags) { ExactText($0.key) }
    for flag in new.visibleFlags {
      if let pair = flags.common.first(where: { $0.new.key.hasSameBytes(as: flag.key) }) {
        compare(pair.old, pair.new)
      } else {
        report(
          .flagAdded, flag: flag.key, after: Self.document(flag),
          "flag \(flag.key.quoted) is new (\(Self.state(flag)))")
      }
    }
    for flag in flags.removed {
      report(
        .flagRemoved, flag: flag.key, before: Self.document(flag),
        "flag \(flag.key.quoted) is gone (it was \(Self.state(flag)))")
    }
    if flags.isReordered {
      let before = flags.common.map(\.new.key)
      report(
        .flagOrder, before: .texts(old.visibleFlags.map(\.key)), after: .texts(before),
        "the flags stand in another order, which counts where all are decided in one call")
    }
    affectedFlags = Self.affected(changes, sharedCount, old, new)
  }

  /// The flags that changed, if nothing changed that other flags look at.
  private static func affected(
    _ changes: [Change], _ sharedCount: Int, _ old: DataFile, _ new: DataFile
  ) -> [String]? {
    guard sharedCount == 0 else { return nil }
    let reaching: Set<Change.Kind> = [
      .flagAdded, .flagRemoved, .flagOrder, .flagID, .flagGroup,
    ]
    let groups = [old, new].flatMap(\.featureFlags).contains { $0.mutuallyExclusiveGroup != nil }
    let looksAtFlags = [old, new].contains { file in
      file.segments.contains { segment in
        ConditionList.entries(of: segment).contains { $0.type == "TARGET_FEATURE_FLAG" }
      }
    }
    if looksAtFlags { return changes.isEmpty ? [] : nil }
    if groups, changes.contains(where: { reaching.contains($0.kind) }) { return nil }
    var seen: Set<ExactText> = []
    return changes.compactMap(\.featureKey).filter { seen.insert(ExactText($0)).inserted }
  }

  mutating func report(
    _ kind: Change.Kind, flag: String? = nil, rule: Int64? = nil, before: JSONValue = .null,
    after: JSONValue = .null, _ sentence: String, details: [String] = []
  ) {
    changes.append(
      Change(
        kind, flag: flag, rule: rule, before: before, after: after, sentence, details: details))
  }

  // MARK: - Settings, custom data, holdout

  private mutating func compare(_ old: Configuration, _ new: Configuration) {
    func setting(_ name: String, _ before: JSONValue, _ after: JSONValue) {
      guard before != after else { return }
      report(
        .configuration, before: [(name): before], after: [(name): after],
        "configuration: \(name) was \(before.text()), is \(after.text())")
    }
    setting("realTimeUpdate", .bool(old.isRealTimeUpdate), .bool(new.isRealTimeUpdate))
    setting("consentRequired", .bool(old.isConsentRequired), .bool(new.isConsentRequired))
    setting(
      "consentOptOutBehavior", Self.text(old.consentOptOutBehavior),
      Self.text(new.consentOptOutBehavior))
    setting("dataApiDomain", .text(old.dataAPIDomain), .text(new.dataAPIDomain))
  }

  private static func text(_ behavior: Configuration.ConsentOptOutBehavior) -> JSONValue {
    behavior == .fullyBlock ? "FULLY_BLOCK" : "PARTIALLY_BLOCK"
  }

  private mutating func compareCustomData(_ old: DataFile, _ new: DataFile) {
    let matching = Matching(old.customData, new.customData, by: \.index)
    for pair in matching.common where pair.old != pair.new {
      report(
        .customDataChanged, before: Self.document(pair.old), after: Self.document(pair.new),
        "custom data \(pair.new.index): was \(Self.document(pair.old).text()), "
          + "is \(Self.document(pair.new).text())")
    }
    for datum in matching.added {
      report(
        .customDataAdded, after: Self.document(datum),
        "custom data \(datum.index) is new: \(Self.document(datum).text())")
    }
    for datum in matching.removed {
      report(
        .customDataRemoved, before: Self.document(datum),
        "custom data \(datum.index) is gone: \(Self.document(datum).text())")
    }
  }

  private mutating func compare(_ old: Holdout?, _ new: Holdout?) {
    switch (old, new) {
    case (nil, nil): return
    case (nil, let new?):
      report(
        .holdoutAdded, after: Self.document(new),
        "a holdout is new: \(Self.ranges(new.split))")
    case (let old?, nil):
      report(
        .holdoutRemoved, before: Self.document(old),
        "the holdout is gone: \(Self.ranges(old.split))")
    case (let old?, let new?):
      if old.experimentID != new.experimentID {
        report(
          .holdoutExperiment, before: .id(old.experimentID), after: .id(new.experimentID),
          "the holdout has another experiment, was \(old.experimentID), is \(new.experimentID); "
            + "every visitor is drawn anew")
      }
      if old.split != new.split {
        report(
          .holdoutSplit, before: Self.document(old.split), after: Self.document(new.split),
          "the holdout's split was \(Self.ranges(old.split)), is \(Self.ranges(new.split))")
      }
    }
  }
}
