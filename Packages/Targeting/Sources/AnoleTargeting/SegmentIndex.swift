// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// The segments of a data file, compiled once for matching (section 4).
///
/// Immutable, so that any number of threads may match at once; matching takes no lock and does not
/// allocate unless segments refer to each other.
public final class SegmentIndex: Sendable {
  /// A segment: its groups as a range of ``groups``.
  struct CompiledSegment {
    let id: Int64
    let isAudienceTracked: Bool
    let groups: Range<Int32>
    /// Whether the result depends on the visitor's data alone: not on the current campaign, nor on
    /// assignments made during the same call.
    var isStable: Bool
  }

  /// A group: its conditions as a range of ``conditions``.
  struct CompiledGroup {
    let conditions: Range<Int32>
    /// Whether OR joins it to the next group.
    let joinsNextWithOr: Bool
  }

  /// A condition and its place in the group.
  struct CompiledCondition {
    let condition: Condition
    let isNegated: Bool
    /// Whether OR joins it to the next condition.
    let joinsNextWithOr: Bool
  }

  let segments: [CompiledSegment]
  let groups: [CompiledGroup]
  let conditions: [CompiledCondition]
  let tables: ConditionTables
  let sources: [Segment]
  private let positions: [Int64: Int]

  /// What could not be read; such conditions never match.
  public let diagnostics: [Diagnostic]

  /// Compiles the segments of a data file.
  ///
  /// - Parameters:
  ///   - dataFile: its flags are needed too, for conditions that refer to them.
  ///   - sdk: what `SDK_LANGUAGE` conditions compare with.
  public init(_ dataFile: DataFile, sdk: SDKIdentity) {
    let result = SegmentCompiler.compile(dataFile, sdk: sdk)
    segments = result.segments
    groups = result.groups
    conditions = result.conditions
    tables = result.tables
    positions = result.positions
    diagnostics = result.diagnostics
    sources = dataFile.segments
  }

  /// How many segments there are.
  public var count: Int { segments.count }

  /// The position of a segment; nil if no segment has the id.
  public func position(of id: Int64) -> Int? { positions[id] }

  /// The id of the segment at a position.
  public func id(at position: Int) -> Int64 { segments[position].id }

  /// Whether the result for a visitor stays the same throughout one call, so that it may be asked
  /// for once: it depends neither on the campaign nor on assignments.
  public func isStable(at position: Int) -> Bool { segments[position].isStable }

  /// The positions of the segments that take part in the evaluation of audiences, in file order.
  public var audiences: [Int] {
    segments.indices.filter { segments[$0].isAudienceTracked }
  }
}
