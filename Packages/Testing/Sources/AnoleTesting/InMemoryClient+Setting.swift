// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
public import kameleoonClient

extension InMemoryClient {
  // MARK: Flags

  /// Serves a variation of a flag, which has this variation alone.
  ///
  /// - Parameters:
  ///   - featureKey: The flag's key.
  ///   - variation: The variation.
  public func set(_ featureKey: String, _ variation: Types.Variation) {
    set(featureKey, variations: [variation], serving: variation.key)
  }

  /// Serves a variation of a flag, which has this variation alone.
  ///
  /// - Parameters:
  ///   - featureKey: The flag's key.
  ///   - variationKey: The variation's key.
  ///   - variables: The values of its variables; their declared types follow from them.
  public func set(
    _ featureKey: String, key variationKey: String, variables: [String: any Sendable] = [:]
  ) {
    let typed = variables.map { key, value in
      (key, Types.Variable(key: key, type: Self.type(of: value), value: value))
    }
    set(
      featureKey,
      Types.Variation(
        key: variationKey, variables: Dictionary(typed) { first, _ in first }))
  }

  /// Serves `on` or `off` of a flag.
  ///
  /// - Parameters:
  ///   - featureKey: The flag's key.
  ///   - isActive: Whether the feature is active.
  public func set(_ featureKey: String, isActive: Bool) {
    set(
      featureKey, variations: [Types.Variation(key: "on"), Types.Variation(key: "off")],
      serving: isActive ? "on" : "off")
  }

  /// Serves one of several variations of a flag.
  ///
  /// - Parameters:
  ///   - featureKey: The flag's key.
  ///   - variations: The variations; of two with one key the later counts.
  ///   - variationKey: The key of the one that is served.
  public func set(
    _ featureKey: String, variations: [Types.Variation], serving variationKey: String
  ) {
    let byKey = Dictionary(variations.map { ($0.key, $0) }) { _, last in last }
    change { $0.flags[featureKey] = InMemoryState.Flag(variations: byKey, served: variationKey) }
  }

  /// Switches a flag's environment on or off; a flag that does not exist stays so.
  ///
  /// - Parameters:
  ///   - featureKey: The flag's key.
  ///   - isEnabled: Whether it is on.
  public func setEnvironment(of featureKey: String, isEnabled: Bool) {
    change { $0.flags[featureKey]?.isEnabled = isEnabled }
  }

  /// Makes reading a flag fail.
  ///
  /// - Parameters:
  ///   - featureKey: The flag's key.
  ///   - error: The error; nil to let it succeed again.
  public func fail(_ featureKey: String, with error: (any Error)?) {
    change { $0.failures[featureKey] = error }
  }

  /// Removes a flag.
  ///
  /// - Parameter featureKey: The flag's key.
  public func remove(_ featureKey: String) {
    change { $0.flags[featureKey] = nil }
  }

  /// Sets the time at which `getDataFile()` says the flags were changed.
  ///
  /// - Parameter milliseconds: Milliseconds since 1970.
  public func setDateModified(milliseconds: Int) {
    change { $0.dateModified = milliseconds }
  }

  // MARK: Life

  /// Makes the client ready and tells those who wait.
  public func becomeReady() {
    change { $0.isReady = true }
    finishWaits(isReady: true)
  }

  /// Tells those who wait for readiness that their time is over.
  public func timeOutWaits() {
    finishWaits(isReady: false)
  }

  /// Calls the configuration handler, as after an update by the event stream.
  public func announceUpdate() {
    guard let handler = state.withLock({ $0.updateHandler }) else { return }
    executor.execute { handler.run(()) }
  }

  // MARK: Remote answers

  /// Sets the answer to a request for remote data.
  ///
  /// - Parameters:
  ///   - json: The JSON text; nil for none.
  ///   - key: The key; empty for the visitor code.
  public func setRemoteData(_ json: String?, forKey key: String = "") {
    state.withLock { $0.remote.values[key.isEmpty ? visitorCode : key] = json }
  }

  /// Sets the answer to requests for the visitor's data.
  ///
  /// - Parameter data: The data, handed out whatever the filter is.
  public func setRemoteVisitorData(_ data: [any KameleoonData]) {
    state.withLock { $0.remote.visitorData = data }
  }

  /// Sets the answer to a request for warehouse audiences.
  ///
  /// - Parameters:
  ///   - audiences: The names.
  ///   - key: The key; empty for the visitor code.
  public func setWarehouseAudiences(_ audiences: [String], forKey key: String = "") {
    state.withLock { $0.remote.audiences[key.isEmpty ? visitorCode : key] = audiences }
  }

  /// Makes all remote calls fail.
  ///
  /// - Parameter error: The error; nil to let them succeed again.
  public func failRemoteCalls(with error: (any Error)?) {
    state.withLock { $0.remote.failure = error }
  }

  private static func type(of value: any Sendable) -> String {
    switch value {
    case is Bool: "BOOLEAN"
    case is any BinaryInteger, is any BinaryFloatingPoint: "NUMBER"
    case is String: "STRING"
    default: "JSON"
    }
  }
}
