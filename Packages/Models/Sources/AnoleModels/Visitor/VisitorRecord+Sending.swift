// SPDX-License-Identifier: Apache-2.0

extension VisitorRecord {
  /// What the next tracking request of this visitor would carry, in the order of its lines
  /// (network specification, section 3.3).
  ///
  /// While consent is required and not given, only exposures of targeted deliveries and
  /// conversions may leave; the rest stays for later.
  ///
  /// - Parameters:
  ///   - isConsentRequired: whether the data file asks for consent.
  ///   - catalogue: the declared custom data of the data file in force; what it says is local
  ///     stays here, also if that was not known when the values were added.
  /// - Returns: static data, custom data and pages in the order of their first addition, exposures
  ///   by experiment id, segments and conversions as they came.
  public func pendingEvents(
    isConsentRequired: Bool, catalogue: CustomDataCatalogue = CustomDataCatalogue()
  ) -> [TrackingEvent] {
    let isRestricted = !mayBeTracked(isConsentRequired: isConsentRequired)
    var events: [TrackingEvent] = []
    if !isRestricted, let profile {
      events += profile.pendingStaticData(visitStart: visitStart)
      for datum in profile.customData
      where (datum.isMappingIdentifier || !datum.isSent) && !catalogue.isLocalOnly(datum.index) {
        events.append(
          .customData(
            index: datum.index, values: datum.values, isOverwriting: datum.isOverwriting,
            isMappingIdentifier: datum.isMappingIdentifier))
      }
      for page in profile.pageViews where !page.isSent {
        events.append(
          .pageView(
            url: page.url.string, title: page.title?.string, referrers: page.referrers))
      }
    }
    for assignment in assignments.all where !assignment.isSent {
      if isRestricted && assignment.origin != .targetedDelivery { continue }
      events.append(
        .experiment(
          experimentID: assignment.experimentID, variationID: assignment.variationID))
    }
    guard let profile else { return events }
    for segment in profile.targetedSegments where !segment.isSent && !isRestricted {
      events.append(.targetedSegment(id: segment.id))
    }
    for conversion in profile.conversions where !conversion.isSent {
      events.append(
        .conversion(
          goalID: conversion.goalID, revenue: conversion.revenue,
          isNegative: conversion.isNegative, metadata: conversion.metadata))
    }
    return events
  }

  /// Marks as sent what ``pendingEvents(isConsentRequired:catalogue:)`` names.
  public mutating func markPendingEventsSent(isConsentRequired: Bool) {
    let isRestricted = !mayBeTracked(isConsentRequired: isConsentRequired)
    assignments.markSent { !isRestricted || $0.origin == .targetedDelivery }
    guard hasProfile else { return }
    updateProfile { profile in
      for position in profile.conversions.indices {
        profile.conversions[position].isSent = true
        profile.conversions[position].metadata = []
      }
      profile.forgetOlderSentConversions()
      guard !isRestricted else { return }
      profile.unsentStaticData = []
      for position in profile.customData.indices { profile.customData[position].isSent = true }
      for position in profile.pageViews.indices { profile.pageViews[position].isSent = true }
      for position in profile.targetedSegments.indices {
        profile.targetedSegments[position].isSent = true
      }
    }
  }

  /// Takes what the next tracking request carries: it counts as sent from now on.
  ///
  /// - Parameters:
  ///   - isConsentRequired: whether the data file asks for consent.
  ///   - catalogue: the declared custom data of the data file in force.
  /// - Returns: the events in the order of ``pendingEvents(isConsentRequired:catalogue:)``.
  public mutating func takeEvents(
    isConsentRequired: Bool, catalogue: CustomDataCatalogue
  ) -> [TrackingEvent] {
    let events = pendingEvents(isConsentRequired: isConsentRequired, catalogue: catalogue)
    if !events.isEmpty { markPendingEventsSent(isConsentRequired: isConsentRequired) }
    return events
  }
}

extension VisitorProfile {
  fileprivate func pendingStaticData(visitStart: Timestamp) -> [TrackingEvent] {
    var events: [TrackingEvent] = []
    if unsentStaticData.contains(.device), let device { events.append(.device(device)) }
    if unsentStaticData.contains(.browser), let browser { events.append(.browser(browser)) }
    if unsentStaticData.contains(.operatingSystem), let operatingSystem {
      events.append(.operatingSystem(operatingSystem))
    }
    if unsentStaticData.contains(.geolocation), let geolocation {
      events.append(.geolocation(geolocation))
    }
    if unsentStaticData.contains(.visits) {
      events.append(
        .visits(
          previousCount: previousVisitCount,
          timeSincePrevious: timeSincePreviousVisit(start: visitStart)))
    }
    return events
  }

  /// From the last activity of the latest previous visit that ended before the start; zero if there
  /// is none (network specification, section 3.8).
  private func timeSincePreviousVisit(start: Timestamp) -> Duration {
    let previous = previousVisits?.first { $0.lastActivity <= start }
    guard let previous else { return .zero }
    let (span, isOverflow) = start.milliseconds.subtractingReportingOverflow(
      previous.lastActivity.milliseconds)
    return isOverflow ? .zero : .milliseconds(span)
  }
}
