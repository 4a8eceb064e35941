// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
import AnoleModels
import AnoleTargeting

/// Builds the flat arrays of a ``Snapshot``.
struct SnapshotCompiler {
  private(set) var flags: [Snapshot.CompiledFlag] = []
  private(set) var rules: [Snapshot.CompiledRule] = []
  private(set) var entries: [Snapshot.CompiledEntry] = []
  private(set) var variations: [Snapshot.CompiledVariation] = []
  private(set) var keys: [String] = []
  private(set) var groups: [Snapshot.CompiledGroup] = []
  private(set) var holdout: Snapshot.CompiledHoldout?
  private(set) var arena: [UInt8] = []
  private(set) var table: KeyTable

  private let segments: SegmentIndex
  private let customData: CustomDataCatalogue

  init(_ dataFile: DataFile, segments: SegmentIndex, customData: CustomDataCatalogue) {
    self.segments = segments
    self.customData = customData
    let sources = dataFile.featureFlags
    table = KeyTable(capacity: sources.count)
    flags.reserveCapacity(sources.count)
    for source in sources.indices { table.set(sources[source].key, source) }
    // The table now holds the last flag of each key; the others are hidden by it.
    let visible = sources.indices.filter { table.find(sources[$0].key) == $0 }
    for source in visible {
      table.set(sources[source].key, flags.count)
      add(sources[source], at: source)
    }
    collectGroups(sources)
    if let source = dataFile.holdout { add(source) }
  }

  private mutating func add(_ flag: FeatureFlag, at source: Int) {
    let firstVariation = variations.count
    for position in flag.variations.indices {
      variations.append(
        Snapshot.CompiledVariation(
          flag: Int32(source), position: Int32(position), key: Int32(keys.count)))
      keys.append(flag.variations[position].key)
    }
    let own = firstVariation..<variations.count
    let firstRule = rules.count
    for rule in flag.rules { add(rule, variations: own) }
    flags.append(
      Snapshot.CompiledFlag(
        source: Int32(source), isEnvironmentEnabled: flag.isEnvironmentEnabled,
        rules: Int32(firstRule)..<Int32(rules.count),
        defaultVariation: serve(flag.defaultVariationKey, from: own),
        bucketingIndex: flag.bucketingCustomDataID.flatMap(customData.index(ofID:))))
  }

  private mutating func add(_ rule: Rule, variations own: Range<Int>) {
    let origin: Assignment.Origin =
      switch rule.type {
      case .experimentation: .experimentation
      case .targetedDelivery: .targetedDelivery
      case .other: .other
      }
    // A rule that names an unknown segment is open to everybody (section 1.8).
    let segment = rule.segmentID.flatMap(segments.position(of:)).map(Int32.init) ?? -1
    rules.append(
      Snapshot.CompiledRule(
        id: rule.id, experimentID: rule.experimentID, exposition: rule.exposition, origin: origin,
        segment: segment, entries: add(rule.split, variations: own),
        admission: store(rule.id, respoolTime: rule.respoolTime),
        choice: store(rule.experimentID, respoolTime: rule.respoolTime)))
  }

  private mutating func add(_ split: [SplitEntry], variations own: Range<Int>) -> Range<Int32> {
    let first = Int32(entries.count)
    for entry in split {
      entries.append(
        Snapshot.CompiledEntry(
          exposition: entry.exposition, variationID: entry.variationID,
          served: serve(entry.variationKey, from: own)))
    }
    return first..<Int32(entries.count)
  }

  /// The first of a flag's variations that has the key; the key alone if none has.
  private mutating func serve(_ key: String, from own: Range<Int>) -> Snapshot.Served {
    for variation in own {
      let candidate = variations[variation].key
      if keys[Int(candidate)].hasSameBytes(as: key) {
        return Snapshot.Served(key: candidate, variation: Int32(variation))
      }
    }
    keys.append(key)
    return Snapshot.Served(key: Int32(keys.count - 1), variation: -1)
  }

  private mutating func add(_ source: Holdout) {
    holdout = Snapshot.CompiledHoldout(
      experimentID: source.experimentID,
      suffix: store(source.experimentID),
      entries: add(source.split, variations: 0..<0))
  }

  /// Ranks the members of each mutually exclusive group by flag id, disabled flags included.
  private mutating func collectGroups(_ sources: [FeatureFlag]) {
    var members: [[UInt8]: [Int]] = [:]
    var names: [String] = []
    for position in flags.indices {
      guard let name = sources[Int(flags[position].source)].mutuallyExclusiveGroup, !name.isEmpty
      else { continue }
      if members[Array(name.utf8)] == nil { names.append(name) }
      members[Array(name.utf8), default: []].append(position)
    }
    for name in names {
      let ranked = (members[Array(name.utf8)] ?? []).sorted { left, right in
        let ids = (sources[Int(flags[left].source)].id, sources[Int(flags[right].source)].id)
        return ids.0 == ids.1 ? left < right : ids.0 < ids.1
      }
      for (rank, position) in ranked.enumerated() {
        flags[position].group = Int32(groups.count)
        flags[position].rank = Int32(rank)
      }
      groups.append(
        Snapshot.CompiledGroup(
          suffix: store(group: name), members: ranked.map(Int32.init)))
    }
  }

  private mutating func store(_ id: Int64, respoolTime: Int64? = nil) -> Snapshot.Suffix {
    let offset = arena.count
    HashSuffix.append(id: id, respoolTime: respoolTime, to: &arena)
    return Snapshot.Suffix(offset: Int32(offset), length: Int32(arena.count - offset))
  }

  private mutating func store(group name: String) -> Snapshot.Suffix {
    let suffix = HashSuffix(group: name).bytes
    arena.append(contentsOf: suffix)
    return Snapshot.Suffix(
      offset: Int32(arena.count - suffix.count), length: Int32(suffix.count))
  }
}
