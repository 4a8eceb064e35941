// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels

/// Is told when a refresh has changed a flag.
public protocol RemoteFlagsListener: AnyObject, Sendable {
  /// Flags have changed; called on the client's callback executor, once for a refresh.
  func remoteFlagsDidChange()
}

/// Serves the flags that a server has evaluated for one device and one user.
///
/// Reads answer from memory. Flags are asked for when a session starts, every hour in the foreground, after
/// registering for push, after a change of user or application, and by ``refresh(completion:)``. They are
/// kept for 24 hours at most.
///
/// Any thread may call anything. Reads take one lock for the time of copying a reference; they wait neither
/// for the network nor for the disk. No lock is held while callbacks run. Making a client reads the store.
/// Releasing it ends its requests; whoever wants to know when they have ended calls ``shutdown()``.
public final class RemoteFlagsClient: Sendable {
  let engine: FlagEngine
  private let observation: (any AnyObject & Sendable)?

  /// Makes a client; reads the store and sends nothing unless the application is active.
  public init(_ configuration: RemoteFlagsConfiguration) {
    let engine = FlagEngine(configuration)
    self.engine = engine
    observation = configuration.lifecycle?.observe { [weak engine] event in
      switch event {
      case .didBecomeActive: engine?.becameActive()
      case .didEnterBackground: engine?.wentToBackground()
      case .didRegisterForPush: engine?.registeredForPush()
      case .didChangeUser(let user): engine?.setUser(user, nil)
      }
    }
    if configuration.lifecycle?.isActive == true { engine.becameActive() }
  }

  deinit {
    engine.close()
  }

  // MARK: Reading

  /// The flag of a key, compared byte by byte; nil if there is none now.
  public func get(_ key: String) -> RemoteFlag? {
    engine.visibleFlags()[key].map { RemoteFlag($0) }
  }

  /// The state of a flag.
  ///
  /// - Parameters:
  ///   - key: The flag's key, exactly.
  ///   - defaultValue: What is returned exactly when ``get(_:)`` returns nil.
  public func isEnabled(_ key: String, default defaultValue: Bool) -> Bool {
    engine.visibleFlags()[key]?.entry.isEnabled ?? defaultValue
  }

  /// All flags that are visible now, in the order of their keys' bytes; one consistent set.
  public var flags: [RemoteFlag] {
    engine.visibleFlags().contents.map { RemoteFlag($0) }
  }

  /// Where the value of a flag comes from now.
  public func origin(of key: String) -> RemoteFlagOrigin {
    get(key)?.origin ?? .default
  }

  /// The time since the request was sent that brought a flag, by the monotonic clock.
  public func age(of flag: RemoteFlag) -> Duration {
    max(.zero, engine.time.now - flag.content.source.moment)
  }

  // MARK: Refreshing

  /// Asks for the flags, unless a request is under way (its end is shared) or valid flags were asked for
  /// less than five minutes ago (they are the answer).
  ///
  /// - Parameter completion: Called exactly once on the callback executor, after the listeners: with nil, or
  ///   with why there are no new flags.
  public func refresh(completion: (@Sendable (RemoteFlagsError?) -> Void)?) {
    engine.refresh(completion)
  }

  /// Asks for the flags and returns when they are there; see ``refresh(completion:)``.
  ///
  /// Does not need the callback executor. Cancelling the task ends the wait, not the request.
  ///
  /// - Throws: ``RemoteFlagsError``; the flags in force stay as they are.
  public func refresh() async throws(RemoteFlagsError) {
    try await engine.refresh()
  }

  // MARK: Changes

  /// Tells an object of changes from now on, until it is removed or released; it is held weakly.
  ///
  /// An object that is added twice is told once.
  public func addListener(_ listener: any RemoteFlagsListener) {
    engine.listeners.add(WeakReference(listener)) { object in
      (object as? any RemoteFlagsListener)?.remoteFlagsDidChange()
    }
  }

  /// Tells an object no more, not even of what is pending.
  public func removeListener(_ listener: any RemoteFlagsListener) {
    engine.listeners.remove(WeakReference(listener))
  }

  /// Tells an object of changes through a closure; for APIs whose listeners are of another type.
  package func addListener(
    _ reference: WeakReference, _ tell: @escaping @Sendable (AnyObject) -> Void
  ) {
    engine.listeners.add(reference, tell)
  }

  package func removeListener(_ reference: WeakReference) {
    engine.listeners.remove(reference)
  }

  /// The keys of flags that refreshes change from now on; a sequence of its own for each call.
  public func changes() -> RemoteFlagChanges {
    engine.changes.subscribe()
  }

  // MARK: Impressions

  /// Reports that the user has reached a feature: once for each user, flag, rule and state in a session.
  ///
  /// Returns at once. Without a flag of this key nothing is sent. What could not be sent is sent by the next
  /// call.
  public func logImpression(_ key: String) {
    engine.logImpression(key)
  }

  // MARK: Who and where

  /// The device's id.
  public var deviceID: String { engine.fixed.deviceID }

  /// The User ID in force; the device's id until one was set.
  public var userID: String { engine.shared.withLock { $0.plan.subject.user.text } }

  /// The application code in force; nil without one.
  public var applicationCode: String? {
    engine.shared.withLock { $0.plan.subject.application?.text }
  }

  /// Changes the user.
  ///
  /// When the call returns, the flags of the former user are gone from memory and from the store, whatever
  /// happens later. The id is trimmed; a blank one and the one in force change nothing. May wait for the
  /// disk.
  ///
  /// - Parameters:
  ///   - userID: The new User ID.
  ///   - completion: Called once on the callback executor when the server was told, or with why not.
  public func setUserID(
    _ userID: String, completion: (@Sendable (RemoteFlagsError?) -> Void)? = nil
  ) {
    engine.setUser(userID, completion)
  }

  /// Changes the application code; reads the store.
  ///
  /// - Parameter code: Letters, digits and hyphens; anything else counts as none and is reported.
  public func setApplicationCode(_ code: String?) {
    engine.setApplication(code)
  }

  /// Changes the token for requests that have not left yet.
  public func setAPIToken(_ token: String?) {
    engine.setServer { $0.apiToken = token }
  }

  /// Changes the reverse proxy for requests that have not left yet; nil for none.
  ///
  /// While its URL cannot serve flags, none are asked for and none are visible.
  public func setReverseProxy(_ proxy: ReverseProxy?) {
    engine.setServer { $0.proxy = proxy }
  }

  /// Lets requests out again, and sends what was missed if the application is active.
  public func startServerCommunication() { engine.setCommunication(true) }

  /// Lets no request out from now on; one that is under way goes on.
  public func stopServerCommunication() { engine.setCommunication(false) }

  /// Whether requests may leave.
  public var isServerCommunicationAllowed: Bool {
    engine.shared.withLock { $0.plan.conditions.allowsCommunication }
  }

  // MARK: Life

  /// The application has come to the foreground; for hosts without an ``AppLifecycle``.
  public func becameActive() { engine.becameActive() }

  /// The application has gone to the background.
  public func wentToBackground() { engine.wentToBackground() }

  /// The device has registered for push with the platform: flags are asked for again.
  public func registeredForPush() { engine.registeredForPush() }

  /// Registers the device for push with the platform, and asks for flags again afterwards.
  ///
  /// - Throws: ``RemoteFlagsError`` if the platform did not accept it.
  public func registerDevice(_ registration: DeviceRegistration) async throws(RemoteFlagsError) {
    try await engine.call(.registerDevice(registration))
    engine.registeredForPush()
  }

  /// Returns when every request under way has ended, and what it brought is in force and stored.
  ///
  /// Ends nothing and starts nothing: for programs that end after a call such as ``logImpression(_:)``.
  public func finishRequests() async {
    await engine.tasks.drain()
  }

  /// Ends the client: cancels requests, completes who waits, and returns when nothing is under way.
  public func shutdown() async {
    await engine.shutdown()
  }
}
