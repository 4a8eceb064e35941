// SPDX-License-Identifier: Apache-2.0

extension VisitorRecord {
  /// When something last happened in the current visit; nil if visits are not kept for the visitor.
  public var lastActivity: Timestamp? { box?.profile.lastActivity }

  /// Notes that the visitor does something, and begins a new visit if more than 30 minutes have
  /// passed since the last activity or none was ever noted (section 5.4).
  ///
  /// The finished visit moves to the front of the previous ones, of which ``Visit/limit`` are kept.
  /// A new visit waits to be reported. A clock that was set back begins no visit.
  ///
  /// - Parameter now: the caller's time.
  /// - Returns: whether a new visit began.
  @discardableResult
  public mutating func noteActivity(at now: Timestamp) -> Bool {
    let start = visitStart
    let last = lastActivity
    let isNew = last.map { Visit.isOver(since: $0, at: now) } ?? true
    updateProfile { profile in
      profile.lastActivity = now
      guard isNew else { return }
      if let last {
        let finished = Visit(start: start, lastActivity: last)
        profile.previousVisits = Array(
          ([finished] + (profile.previousVisits ?? [])).prefix(Visit.limit))
        profile.previousVisitCount += 1
      } else if profile.previousVisits == nil {
        profile.previousVisits = []
      }
      profile.unsentStaticData.insert(.visits)
    }
    if isNew { visitStart = now }
    return isNew
  }
}

extension Visit {
  /// How long a visitor may do nothing before a visit ends.
  public static let idleLimit = Duration.seconds(1800)

  fileprivate static func isOver(since lastActivity: Timestamp, at now: Timestamp) -> Bool {
    let (idle, isOverflow) = now.milliseconds.subtractingReportingOverflow(
      lastActivity.milliseconds)
    return isOverflow ? now > lastActivity : .milliseconds(idle) > idleLimit
  }
}
