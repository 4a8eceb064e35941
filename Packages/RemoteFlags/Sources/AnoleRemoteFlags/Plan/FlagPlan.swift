// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Decides when flags are asked for, which answers count and what is visible.
///
/// A pure value: no clock, no lock, no I/O. The owner tells it what happened and at which moment of a
/// monotonic clock, and then performs the actions it returned, in their order.
struct FlagPlan: Sendable {
  /// A request that was sent and has not ended.
  private struct Flight {
    let number: Int
    let sentAt: Duration
    let requestedAt: Int64
    var waiters: [Int]
    /// For the case that it does not leave.
    let windowBefore: Duration?
    let lastSentBefore: Duration?
  }

  /// An automatic request that could not be sent when it was due.
  private enum Debt {
    case none
    /// Due while the application is in the foreground.
    case inForeground
    /// Due wherever the application is.
    case anywhere
  }

  static let sessionGap = Duration.seconds(1_800)
  static let foregroundInterval = Duration.seconds(3_600)
  static let throttleWindow = Duration.seconds(300)
  static let longestHold = Duration.seconds(3_600)

  private(set) var subject: Subject
  private(set) var conditions: Conditions
  /// What can be read.
  private(set) var view = VisibleFlags.none
  /// Counts session starts; 0 before the first.
  private(set) var session = 0
  private(set) var isActive = false

  private var complete: DatedFlags?
  private var incomplete: DatedFlags?
  private var flight: Flight?
  private var nextNumber = 0
  /// Whether a request has to follow the one under way (RF-35).
  private var isFollowed = false
  private var windowStart: Duration?
  private var lastSent: Duration?
  private var heldUntil: Duration?
  private var debt = Debt.none
  private var activeSince: Duration?
  private var leftAt: Duration?

  init(subject: Subject, conditions: Conditions, stored: DatedFlags?, now: Duration) {
    self.subject = subject
    self.conditions = conditions
    complete = stored
    updateView(now)
  }

  // MARK: Reading

  /// The flags that are visible at a moment.
  func visibleFlags(at now: Duration) -> FlagSet { view.flags(at: now) }

  /// When the request of a number was sent; nil if it is not the one under way.
  func flightStart(_ number: Int) -> Now? {
    guard let flight, flight.number == number else { return nil }
    return Now(moment: flight.sentAt, wall: flight.requestedAt)
  }

  /// The next moment at which ``timeHasCome(_:)`` has something to do.
  var nextDeadline: Duration? {
    guard refusal == nil, flight == nil else { return nil }
    switch debt {
    case .anywhere: return heldUntil ?? .zero
    case .inForeground: return isActive ? heldUntil ?? .zero : nil
    case .none:
      guard isActive, let base = lastSent ?? activeSince else { return nil }
      return max(base + Self.foregroundInterval, heldUntil ?? .zero)
    }
  }

  /// Why no request may leave; nil if one may.
  var refusal: RemoteFlagsError? {
    if conditions.isClosed { return .notSent("the client was shut down") }
    if conditions.isAppExtension { return .notSent("an app extension asks for no flags") }
    guard subject.application != nil else {
      return .notSent("there is no application code; set one")
    }
    guard conditions.hasAddress else {
      return .notSent(
        "the base URL or reverse proxy cannot serve flags: it must be http or https and end in "
          + "json/1.3/")
    }
    guard conditions.allowsCommunication else {
      return .notSent("server communication is stopped; start it")
    }
    return nil
  }

  // MARK: Asking

  /// The application asks for a refresh.
  ///
  /// - Parameter waiter: The number of a completion; nil for none.
  mutating func refresh(waiter: Int?, _ now: Now) -> [Action] {
    let waiters = waiter.map { [$0] } ?? []
    if flight != nil, !conditions.isClosed {
      flight?.waiters += waiters
      return []
    }
    if let refusal {
      if !conditions.isAppExtension, debt == .none { debt = .inForeground }
      return [.deliver(Delivery(waiters: waiters, error: refusal))]
    }
    if isThrottled(now.moment) { return [.deliver(Delivery(waiters: waiters))] }
    return send(waiters: waiters, now)
  }

  private func isThrottled(_ now: Duration) -> Bool {
    guard !conditions.isUnlimited, let complete, now < complete.end, let windowStart else {
      return false
    }
    return now - windowStart < Self.throttleWindow
  }

  private mutating func send(waiters: [Int], _ now: Now) -> [Action] {
    nextNumber += 1
    flight = Flight(
      number: nextNumber, sentAt: now.moment, requestedAt: now.wall, waiters: waiters,
      windowBefore: windowStart, lastSentBefore: lastSent)
    windowStart = now.moment
    lastSent = now.moment
    debt = .none
    return [.request(nextNumber)]
  }

  /// A request is due without being asked for.
  private mutating func sendAutomatically(_ now: Now, evenInBackground: Bool) -> [Action] {
    guard flight == nil else { return [] }
    guard refusal == nil, !isHeld(now.moment) else {
      owe(evenInBackground: evenInBackground)
      return []
    }
    return send(waiters: [], now)
  }

  private mutating func owe(evenInBackground: Bool) {
    guard !conditions.isAppExtension else { return }
    debt = evenInBackground || debt == .anywhere ? .anywhere : .inForeground
  }

  private func isHeld(_ now: Duration) -> Bool {
    heldUntil.map { now < $0 } ?? false
  }

  // MARK: Answers

  /// A request has ended.
  mutating func finish(_ number: Int, _ outcome: Outcome, _ now: Now) -> [Action] {
    guard let flight, flight.number == number else { return [] }
    self.flight = nil
    var delivery = Delivery(waiters: flight.waiters)
    var actions: [Action] = []
    switch outcome {
    case .answered(let entries, let isComplete):
      let before = visibleFlags(at: now.moment)
      actions += install(entries, isComplete: isComplete, flight)
      updateView(now.moment)
      heldUntil = nil
      delivery.changedKeys = visibleFlags(at: now.moment).differences(from: before)
    case .failed(let error, let retryAfter):
      delivery.error = error
      if let retryAfter { heldUntil = now.moment + min(retryAfter, Self.longestHold) }
    case .notSent(let error):
      delivery.error = error
      windowStart = flight.windowBefore
      lastSent = flight.lastSentBefore
      owe(evenInBackground: false)
    }
    actions.append(.deliver(delivery))
    if isFollowed {
      isFollowed = false
      actions += sendAutomatically(now, evenInBackground: true)
    }
    return actions
  }

  private mutating func install(
    _ entries: [FlagEntry], isComplete: Bool, _ flight: Flight
  ) -> [Action] {
    let source = FlagSource(
      origin: isComplete ? .fresh : .incomplete, requestedAt: flight.requestedAt,
      moment: flight.sentAt)
    let dated = DatedFlags(flags: FlagSet(entries, source: source), moment: flight.sentAt)
    guard isComplete else {
      incomplete = dated
      // The next call has to fetch the whole answer (RF-46).
      windowStart = nil
      return []
    }
    complete = dated
    incomplete = nil
    guard let application = subject.application else { return [] }
    let set = StorableFlags(
      application: application.text, user: subject.user.text, requestedAt: flight.requestedAt,
      flags: dated.flags)
    return [.store(set, generation: subject.generation)]
  }

  private mutating func updateView(_ now: Duration) {
    let complete = complete.flatMap { now < $0.end ? $0 : nil }
    let incomplete = incomplete.flatMap { now < $0.end ? $0 : nil }
    switch (complete, incomplete) {
    case _ where !conditions.hasAddress: view = .none
    case (nil, nil): view = .none
    case (let complete?, nil): view = VisibleFlags(complete.flags, until: complete.end)
    case (nil, let incomplete?): view = VisibleFlags(incomplete.flags, until: incomplete.end)
    case (let complete?, let incomplete?):
      view = VisibleFlags(complete: complete, under: incomplete)
    }
  }

  // MARK: Subject

  /// The user has changed; `user` must be trimmed and not empty.
  ///
  /// - Returns: Nil when the user is in force already.
  mutating func setUser(_ user: ExactText, _ now: Now) -> [Action]? {
    guard user != subject.user else { return nil }
    subject.user = user
    subject.userNumber += 1
    return [.forget] + restart(stored: nil, isDue: true, now)
  }

  /// The application code has changed.
  ///
  /// - Parameter stored: The stored set of the new code and this user, if it is still good.
  /// - Returns: Nil when the code is in force already.
  mutating func setApplication(
    _ application: ExactText?, stored: DatedFlags?, _ now: Now
  ) -> [Action]? {
    guard application != subject.application else { return nil }
    subject.application = application
    return restart(stored: stored, isDue: isActive || lastSent != nil, now)
  }

  /// Whatever is under way or visible belongs to somebody else now.
  private mutating func restart(stored: DatedFlags?, isDue: Bool, _ now: Now) -> [Action] {
    subject.generation += 1
    complete = stored
    incomplete = nil
    updateView(now.moment)
    isFollowed = false
    let obsolete = flight
    flight = nil
    let waiters = obsolete?.waiters ?? []
    var actions = obsolete.map { [Action.cancel($0.number)] } ?? []
    if let refusal {
      owe(evenInBackground: isDue)
      if !waiters.isEmpty {
        actions.append(.deliver(Delivery(waiters: waiters, error: refusal)))
      }
    } else if !waiters.isEmpty {
      actions += send(waiters: waiters, now)
    } else if isDue || obsolete != nil {
      actions += sendAutomatically(now, evenInBackground: true)
    }
    return actions
  }

  // MARK: Host

  /// The application has come to the foreground.
  mutating func becomeActive(_ now: Now) -> [Action] {
    guard !isActive else { return [] }
    isActive = true
    activeSince = now.moment
    if session == 0 || leftAt.map({ now.moment - $0 >= Self.sessionGap }) ?? false {
      session += 1
      return sendAutomatically(now, evenInBackground: false)
    }
    return timeHasCome(now)
  }

  /// The application has gone to the background.
  mutating func enterBackground(_ now: Now) {
    guard isActive else { return }
    isActive = false
    leftAt = now.moment
  }

  /// The device has registered for push.
  mutating func registerForPush(_ now: Now) -> [Action] {
    // Without an earlier request the session start will send one.
    guard lastSent != nil else { return [] }
    guard flight == nil else {
      isFollowed = true
      return []
    }
    return sendAutomatically(now, evenInBackground: true)
  }

  /// Sends what is due.
  mutating func timeHasCome(_ now: Now) -> [Action] {
    guard let nextDeadline, nextDeadline <= now.moment else { return [] }
    return send(waiters: [], now)
  }

  /// Something that decides over requests has changed.
  mutating func update(_ conditions: Conditions, _ now: Now) -> [Action] {
    guard conditions != self.conditions else { return [] }
    self.conditions = conditions
    updateView(now.moment)
    guard !conditions.isClosed else { return close() }
    // Only what was missed: the hour has its own time.
    return debt == .none ? [] : timeHasCome(now)
  }

  private mutating func close() -> [Action] {
    guard let flight else { return [] }
    self.flight = nil
    var actions = [Action.cancel(flight.number)]
    if !flight.waiters.isEmpty {
      actions.append(.deliver(Delivery(waiters: flight.waiters, error: refusal)))
    }
    return actions
  }
}
