// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
public import AnoleModels
public import AnoleTargeting

/// A data file compiled for deciding: immutable, flat, shared by any number of threads.
///
/// Publish a new one by swapping the reference; a call that has begun finishes on the snapshot it
/// took (section 1.1, rule 6). Nothing in here reads a clock, waits, or takes a lock.
public final class Snapshot: Sendable {
  /// A flag.
  ///
  /// Like all compiled types a plain value without references, so that reading one costs no
  /// reference counting.
  struct CompiledFlag {
    /// Its position in ``dataFile``.
    let source: Int32
    let isEnvironmentEnabled: Bool
    let rules: Range<Int32>
    /// What is served without an outcome.
    let defaultVariation: Served
    /// The position of the mutually exclusive group; negative for none.
    var group: Int32 = -1
    /// The rank within the group.
    var rank: Int32 = 0
    /// The index of the custom data whose value replaces the visitor code; nil for none.
    let bucketingIndex: Int?
  }

  struct CompiledRule {
    let id: Int64
    let experimentID: Int64
    let exposition: Double
    let origin: Assignment.Origin
    /// Negative for none.
    let segment: Int32
    let entries: Range<Int32>
    /// What follows the hash key for admission and for the choice of a variation.
    let admission: Suffix
    let choice: Suffix
  }

  /// An entry of a split.
  struct CompiledEntry {
    let exposition: Double
    let variationID: Int64?
    let served: Served
  }

  /// A variation key, and the variation of the flag that has it.
  struct Served {
    /// A position in ``keys``.
    let key: Int32
    /// A position in ``variations``; negative if the flag has no variation with the key.
    let variation: Int32
  }

  /// Where a variation stands in ``dataFile``.
  struct CompiledVariation {
    let flag: Int32
    let position: Int32
    /// A position in ``keys``.
    let key: Int32
  }

  struct CompiledGroup {
    let suffix: Suffix
    var members: [Int32]
  }

  struct CompiledHoldout {
    let experimentID: Int64
    let suffix: Suffix
    let entries: Range<Int32>
  }

  /// A range of ``arena``.
  struct Suffix {
    let offset: Int32
    let length: Int32
  }

  /// The data file as it was read.
  public let dataFile: DataFile
  /// The compiled segments.
  public let segments: SegmentIndex
  /// The look-ups of declared custom data.
  public let customData: CustomDataCatalogue

  let flags: [CompiledFlag]
  let rules: [CompiledRule]
  let entries: [CompiledEntry]
  let variations: [CompiledVariation]
  /// Variation keys.
  let keys: [String]
  let groups: [CompiledGroup]
  let holdout: CompiledHoldout?
  let arena: [UInt8]
  let table: KeyTable

  /// How many variations all flags have together.
  public var variationCount: Int { variations.count }

  /// Compiles a data file.
  ///
  /// - Parameters:
  ///   - dataFile: what to decide by. Of two flags with one key the later counts.
  ///   - sdk: the identity `SDK_LANGUAGE` conditions compare with.
  public init(_ dataFile: DataFile, sdk: SDKIdentity) {
    self.dataFile = dataFile
    let catalogue = CustomDataCatalogue(dataFile.customData)
    customData = catalogue
    let segments = SegmentIndex(dataFile, sdk: sdk)
    self.segments = segments
    let compiler = SnapshotCompiler(dataFile, segments: segments, customData: catalogue)
    flags = compiler.flags
    rules = compiler.rules
    entries = compiler.entries
    variations = compiler.variations
    keys = compiler.keys
    groups = compiler.groups
    holdout = compiler.holdout
    arena = compiler.arena
    table = compiler.table
  }

  /// What the segments contain that can never match.
  public var diagnostics: [Diagnostic] { segments.diagnostics }

  /// How many flags there are, disabled ones included.
  public var flagCount: Int { flags.count }

  /// The keys of all flags in file order, disabled ones included.
  public var featureKeys: [String] {
    flags.map { dataFile.featureFlags[Int($0.source)].key }
  }
}
