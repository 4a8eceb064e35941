// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// Who is asked about, and when.
///
/// Not stored anywhere: it lives as long as one call.
public struct TargetingSubject: Sendable {
  /// The visitor code (not the hash key), for `VISITOR_CODE` conditions.
  public let visitorCode: String
  /// The visitor's data.
  public let record: VisitorRecord
  /// The time.
  public let moment: Moment

  /// Makes a subject.
  @inlinable
  public init(visitorCode: String, record: VisitorRecord, moment: Moment) {
    self.visitorCode = visitorCode
    self.record = record
    self.moment = moment
  }
}

extension SegmentIndex {
  /// How deep segments may refer to each other.
  ///
  /// Deeper references never match, as do references to a segment that is being evaluated already
  /// (section 4.9).
  public static let maximumNesting = 64
  /// How many references to segments one question may follow.
  ///
  /// More would be a data file that doubles its work at every level; further references never
  /// match.
  public static let maximumReferences = 10_000

  /// The segments being evaluated, and how many references were followed.
  struct Walk {
    var path: [Int32] = []
    var references = 0
  }

  /// Whether the visitor is in the segment at a position.
  ///
  /// - Parameters:
  ///   - position: from ``position(of:)``.
  ///   - subject: visitor and time.
  ///   - campaign: the experiment id of the rule being evaluated; nil outside of a rule.
  public func matches(
    segmentAt position: Int, _ subject: TargetingSubject, campaign: Int64? = nil
  ) -> Bool {
    matches(
      segmentAt: position, visitorCode: subject.visitorCode, record: subject.record,
      at: subject.moment, campaign: campaign)
  }

  /// The same question without making a subject, which would copy the record.
  public func matches(
    segmentAt position: Int, visitorCode: String, record: VisitorRecord, at moment: Moment,
    campaign: Int64?
  ) -> Bool {
    var walk = Walk()
    return matches(position, visitorCode, record, moment, campaign, &walk)
  }

  private func matches(
    _ position: Int, _ visitorCode: String, _ record: VisitorRecord, _ moment: Moment,
    _ campaign: Int64?, _ walk: inout Walk
  ) -> Bool {
    let range = segments[position].groups
    let first = Int(range.lowerBound)
    return BooleanChain.evaluate(
      count: range.count,
      joinsWithOr: { groups[first + $0].joinsNextWithOr },
      operand: {
        matches(
          groupAt: first + $0, in: position, visitorCode, record, moment, campaign, &walk)
      })
  }

  @inline(__always)
  private func matches(
    groupAt position: Int, in segment: Int, _ visitorCode: String, _ record: VisitorRecord,
    _ moment: Moment, _ campaign: Int64?, _ walk: inout Walk
  ) -> Bool {
    let range = groups[position].conditions
    let first = Int(range.lowerBound)
    return BooleanChain.evaluate(
      count: range.count,
      joinsWithOr: { conditions[first + $0].joinsNextWithOr },
      operand: { offset in
        let isNegated = conditions[first + offset].isNegated
        let result =
          if case .segment(let other) = conditions[first + offset].condition {
            matches(
              reference: other, from: segment, visitorCode, record, moment, campaign, &walk)
          } else {
            matches(
              conditions[first + offset].condition, visitorCode, record, record.box, moment,
              campaign)
          }
        return result != isNegated
      })
  }

  private func matches(
    reference position: Int32, from segment: Int, _ visitorCode: String,
    _ record: VisitorRecord, _ moment: Moment, _ campaign: Int64?, _ walk: inout Walk
  ) -> Bool {
    guard position != Int32(segment), !walk.path.contains(position),
      walk.path.count < Self.maximumNesting, walk.references < Self.maximumReferences
    else { return false }
    walk.references += 1
    walk.path.append(Int32(segment))
    defer { walk.path.removeLast() }
    return matches(Int(position), visitorCode, record, moment, campaign, &walk)
  }
}
