// SPDX-License-Identifier: Apache-2.0

extension VisitorRecord {
  /// Drops every datum that was added before a time, sent or not: each has an age of its own
  /// (section 5.1).
  ///
  /// Consent, the mapping identifier, forced and simulated variations and the visits stay: they are
  /// no data that age.
  public mutating func expireData(addedBefore limit: Timestamp) {
    assignments.removeAll { $0.time < limit }
    guard let profile, profile.hasData(addedBefore: limit) else { return }
    updateProfile { $0.expireData(addedBefore: limit) }
  }
}

extension VisitorProfile {
  fileprivate func hasData(addedBefore limit: Timestamp) -> Bool {
    additionTimes.contains { $0.value < limit }
      || customData.contains { $0.time < limit }
      || pageViews.contains { $0.lastTime < limit }
      || conversions.contains { $0.time < limit }
      || personalizations.contains { $0.time < limit }
  }

  fileprivate mutating func expireData(addedBefore limit: Timestamp) {
    for (kind, time) in additionTimes where time < limit { remove(kind) }
    customData.removeAll { $0.time < limit }
    pageViews.removeAll { $0.lastTime < limit }
    conversions.removeAll { $0.time < limit }
    personalizations.removeAll { $0.time < limit }
  }

  private mutating func remove(_ kind: StaticData) {
    switch kind {
    case .device: device = nil
    case .operatingSystem: operatingSystem = nil
    case .browser: browser = nil
    case .geolocation: geolocation = nil
    case .applicationVersion:
      applicationVersion = nil
      parsedApplicationVersion = nil
    case .cookies: cookies = []
    case .keyMomentScores: keyMomentScores = [:]
    case .banditScores: banditScores = nil
    default: return
    }
    additionTimes[kind] = nil
    unsentStaticData.remove(kind)
  }
}
