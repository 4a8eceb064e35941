// SPDX-License-Identifier: Apache-2.0

/// Something about a visitor that waits to be sent with the next tracking request.
public enum PendingEvent: Sendable, Hashable {
  /// An exposure.
  case experiment(experimentID: Int64, variationID: Int64)
  /// Custom data; a mapping identifier goes with every request.
  case customData(index: Int, values: [String], isOverwriting: Bool, isMappingIdentifier: Bool)
  /// A conversion.
  case conversion(goalID: Int64, revenue: Double, isNegative: Bool)
  /// Membership of a segment.
  case targetingSegment(id: Int64)
}

extension VisitorRecord {
  /// What the next tracking request of this visitor would carry of assignments, custom data,
  /// conversions and segments (section 3.10).
  ///
  /// While consent is required and not given, only exposures of targeted deliveries and
  /// conversions may leave; the rest stays for later.
  /// - Parameter isConsentRequired: whether the data file asks for consent.
  /// - Returns: assignments by experiment id, then conversions, custom data and segments in the
  ///   order in which they were added.
  public func pendingEvents(isConsentRequired: Bool) -> [PendingEvent] {
    let isRestricted = isConsentRequired && consent != .given
    var events: [PendingEvent] = []
    for assignment in assignments.all where !assignment.isSent {
      if isRestricted && assignment.origin != .targetedDelivery { continue }
      events.append(
        .experiment(
          experimentID: assignment.experimentID, variationID: assignment.variationID))
    }
    guard let profile else { return events }
    for conversion in profile.conversions where !conversion.isSent {
      events.append(
        .conversion(
          goalID: conversion.goalID, revenue: conversion.revenue,
          isNegative: conversion.isNegative))
    }
    for datum in profile.customData {
      let isDue = datum.isMappingIdentifier || (!datum.isSent && !isRestricted)
      guard isDue else { continue }
      events.append(
        .customData(
          index: datum.index, values: datum.values, isOverwriting: datum.isOverwriting,
          isMappingIdentifier: datum.isMappingIdentifier))
    }
    for segment in profile.targetedSegments where !segment.isSent && !isRestricted {
      events.append(.targetingSegment(id: segment.id))
    }
    return events
  }

  /// Marks as sent what ``pendingEvents(isConsentRequired:)`` names.
  public mutating func markPendingEventsSent(isConsentRequired: Bool) {
    let isRestricted = isConsentRequired && consent != .given
    assignments.markSent { !isRestricted || $0.origin == .targetedDelivery }
    guard hasProfile else { return }
    updateProfile { profile in
      for position in profile.conversions.indices { profile.conversions[position].isSent = true }
      profile.forgetOlderSentConversions()
      guard !isRestricted else { return }
      for position in profile.customData.indices { profile.customData[position].isSent = true }
      for position in profile.targetedSegments.indices {
        profile.targetedSegments[position].isSent = true
      }
    }
  }
}
