// SPDX-License-Identifier: Apache-2.0

// The forms with default values. Each is a method of its own: an extension method with defaults beside an
// equal requirement would call itself.

extension KameleoonClient {
  /// Waits for a configuration, for at most `defaultTimeoutMillisecond`.
  ///
  /// - Parameter callback: Receives whether the client is ready.
  public func runWhenReady(callback: @escaping (Bool) -> Void) {
    runWhenReady(timeoutMilliseconds: -1, callback: callback)
  }

  /// Waits for a configuration, for at most `defaultTimeoutMillisecond`.
  ///
  /// - Throws: ``KameleoonError/sdkNotReady`` when there is none in time; `CancellationError` when the
  ///   task is cancelled.
  public func runWhenReady() async throws {
    try await runWhenReady(timeoutMilliseconds: -1)
  }

  /// Whether the visitor gets a variation of a flag other than `off`; the exposure is reported.
  ///
  /// - Parameter featureKey: The flag's key.
  /// - Throws: As ``isFeatureActive(featureKey:track:)``.
  public func isFeatureActive(featureKey: String) throws -> Bool {
    try isFeatureActive(featureKey: featureKey, track: true)
  }

  /// The variation of a flag that the visitor gets; the exposure is reported.
  ///
  /// - Parameter featureKey: The flag's key.
  /// - Throws: As ``getVariation(featureKey:track:)``.
  public func getVariation(featureKey: String) throws -> Types.Variation {
    try getVariation(featureKey: featureKey, track: true)
  }

  /// The variations of all flags that the visitor gets, `off` included; the exposures are reported.
  ///
  /// - Throws: ``KameleoonError/sdkNotReady``.
  public func getVariations() throws -> [String: Types.Variation] {
    try getVariations(onlyActive: false, track: true)
  }

  /// The variations of all flags that the visitor gets; the exposures are reported.
  ///
  /// - Parameter onlyActive: Whether flags of which the visitor gets `off` are left out.
  /// - Throws: ``KameleoonError/sdkNotReady``.
  public func getVariations(onlyActive: Bool) throws -> [String: Types.Variation] {
    try getVariations(onlyActive: onlyActive, track: true)
  }

  /// The variations of all flags that the visitor gets, `off` included.
  ///
  /// - Parameter track: Whether the exposures are reported.
  /// - Throws: ``KameleoonError/sdkNotReady``.
  public func getVariations(track: Bool) throws -> [String: Types.Variation] {
    try getVariations(onlyActive: false, track: track)
  }

  /// Makes the visitor get a variation of an experiment, whatever the conditions of its rule say.
  ///
  /// - Parameters:
  ///   - experimentId: The experiment's id.
  ///   - variationKey: The key of one of its variations; nil to force none any more.
  /// - Throws: As ``setForcedVariation(experimentId:variationKey:forceTargeting:)``.
  public func setForcedVariation(experimentId: Int, variationKey: String?) throws {
    try setForcedVariation(
      experimentId: experimentId, variationKey: variationKey, forceTargeting: true)
  }

  /// Reports that the visitor reached a goal.
  ///
  /// - Parameters:
  ///   - goalId: The goal's id.
  ///   - revenue: The revenue in the project's currency.
  ///   - negative: Whether the revenue is taken back.
  ///   - metadata: Custom data that go with this conversion only.
  public func trackConversion(
    goalId: Int, revenue: Double = 0, negative: Bool = false, metadata: CustomData...
  ) {
    trackConversion(goalId: goalId, revenue: revenue, negative: negative, metadata: metadata)
  }

  /// Reports that the visitor reached a goal.
  ///
  /// - Parameters:
  ///   - goalId: The goal's id.
  ///   - metadata: Custom data that go with this conversion only.
  public func trackConversion(goalId: Int, metadata: [CustomData]) {
    trackConversion(goalId: goalId, revenue: 0, negative: false, metadata: metadata)
  }

  /// Reports that the visitor reached a goal.
  ///
  /// - Parameters:
  ///   - goalId: The goal's id.
  ///   - revenue: The revenue in the project's currency.
  ///   - metadata: Custom data that go with this conversion only.
  public func trackConversion(goalId: Int, revenue: Double, metadata: [CustomData]) {
    trackConversion(goalId: goalId, revenue: revenue, negative: false, metadata: metadata)
  }

  /// Reports that the visitor reached a goal.
  ///
  /// - Parameters:
  ///   - goalId: The goal's id.
  ///   - negative: Whether the revenue is taken back.
  ///   - metadata: Custom data that go with this conversion only.
  public func trackConversion(goalId: Int, negative: Bool, metadata: [CustomData]) {
    trackConversion(goalId: goalId, revenue: 0, negative: negative, metadata: metadata)
  }

  /// Adds data about the visitor, which conditions see at once and the next report contains.
  ///
  /// - Parameter data: What to add, in order.
  public func addData(_ data: any KameleoonData...) {
    addData(data)
  }

  /// Adds data about the visitor, which conditions see at once and the next report contains.
  ///
  /// - Parameter data: What to add, in order.
  public func addData(_ data: [any KameleoonData]) {
    addData(track: true, data)
  }

  /// Adds data about the visitor, which conditions see at once.
  ///
  /// - Parameters:
  ///   - track: Whether the next report contains them.
  ///   - data: What to add, in order.
  public func addData(track: Bool, _ data: any KameleoonData...) {
    addData(track: track, data)
  }

  /// Reports what has been collected, with the next tracking interval.
  public func flush() {
    flush(instant: false)
  }
}
