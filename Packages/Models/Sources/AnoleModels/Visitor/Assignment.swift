// SPDX-License-Identifier: Apache-2.0

/// A variation that was assigned to a visitor, and whether its exposure was sent.
public struct Assignment: Sendable, Hashable {
  /// What kind of rule made the assignment; decides what may be sent without consent.
  public enum Origin: UInt8, Sendable, Hashable {
    /// A rule of type `EXPERIMENTATION`.
    case experimentation
    /// A rule of type `TARGETED_DELIVERY`.
    case targetedDelivery
    /// Anything else.
    case other
  }

  /// The experiment.
  public let experimentID: Int64
  /// The assigned variation.
  public let variationID: Int64
  /// Time in the upper 56 bits; then the origin (2 bits) and whether it was sent (1 bit).
  private var packed: Int64

  /// Makes an assignment.
  ///
  /// - Parameters:
  ///   - experimentID: the experiment.
  ///   - variationID: the assigned variation.
  ///   - origin: what kind of rule made the assignment.
  ///   - time: when, within ±2^55 ms of the epoch; other values are clamped.
  ///   - isSent: whether no exposure is to be sent.
  public init(
    experimentID: Int64, variationID: Int64, origin: Origin, time: Timestamp, isSent: Bool
  ) {
    self.experimentID = experimentID
    self.variationID = variationID
    let limit: Int64 = 1 << 55
    let clamped = min(max(time.milliseconds, -limit), limit - 1)
    packed = clamped << 8 | Int64(origin.rawValue) << 1 | (isSent ? 1 : 0)
  }

  /// When the assignment was made.
  public var time: Timestamp { Timestamp(milliseconds: packed >> 8) }

  /// What kind of rule made it.
  public var origin: Origin { Origin(rawValue: UInt8(packed >> 1 & 3)) ?? .other }

  /// Whether no exposure is waiting to be sent.
  public var isSent: Bool {
    get { packed & 1 == 1 }
    set { packed = packed & ~1 | (newValue ? 1 : 0) }
  }
}

/// The assignments of a visitor, one per experiment, ordered by experiment id.
///
/// Most visitors have one or none, so the first one is stored in place.
public struct AssignmentTable: Sendable, Hashable {
  private var single: Assignment?
  /// All of them as soon as there are two; empty before.
  private var list: [Assignment] = []

  /// An empty table.
  public init() {}

  /// Whether there is none.
  public var isEmpty: Bool { single == nil && list.isEmpty }

  /// All assignments, by ascending experiment id.
  public var all: [Assignment] { single.map { [$0] } ?? list }

  /// The assignment of an experiment; nil if there is none.
  public subscript(experimentID: Int64) -> Assignment? {
    if let single { return single.experimentID == experimentID ? single : nil }
    let position = insertionPoint(of: experimentID)
    guard position < list.count, list[position].experimentID == experimentID else { return nil }
    return list[position]
  }

  /// Stores an assignment, replacing any of the same experiment.
  public mutating func set(_ assignment: Assignment) {
    if list.isEmpty {
      guard let present = single, present.experimentID != assignment.experimentID else {
        single = assignment
        return
      }
      single = nil
      list = [present]
    }
    let position = insertionPoint(of: assignment.experimentID)
    if position < list.count, list[position].experimentID == assignment.experimentID {
      list[position] = assignment
    } else {
      list.insert(assignment, at: position)
    }
  }

  /// Marks every assignment that `condition` accepts as sent.
  public mutating func markSent(where condition: (Assignment) -> Bool) {
    if let assignment = single, condition(assignment) { single?.isSent = true }
    for position in list.indices where condition(list[position]) { list[position].isSent = true }
  }

  /// Removes every assignment that `condition` accepts.
  public mutating func removeAll(where condition: (Assignment) -> Bool) {
    if let assignment = single, condition(assignment) { single = nil }
    list.removeAll(where: condition)
  }

  private func insertionPoint(of experimentID: Int64) -> Int {
    var low = 0
    var high = list.count
    while low < high {
      let middle = (low + high) / 2
      if list[middle].experimentID < experimentID { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
