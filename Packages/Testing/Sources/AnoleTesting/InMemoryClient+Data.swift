// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
public import kameleoonClient

extension InMemoryClient {
  /// Writes a conversion down.
  ///
  /// - Parameters:
  ///   - goalId: The goal's id.
  ///   - revenue: The revenue.
  ///   - negative: Whether it is taken back.
  ///   - metadata: Custom data of the conversion.
  public func trackConversion(
    goalId: Int, revenue: Double, negative: Bool, metadata: [CustomData]
  ) {
    addData(
      track: true,
      [Conversion(goalId: goalId, revenue: revenue, negative: negative, metadata: metadata)])
  }

  /// Writes data down.
  ///
  /// - Parameters:
  ///   - track: Whether they would be reported.
  ///   - data: The data.
  public func addData(track: Bool, _ data: [any KameleoonData]) {
    state.withLock { state in
      guard !state.isClosed else { return }
      for datum in data {
        state.record.additions.append(ClientRecord.Addition(datum: datum, isTracked: track))
        if let conversion = datum as? Conversion { state.record.conversions.append(conversion) }
      }
    }
  }

  /// Writes the call down.
  ///
  /// - Parameter instant: Whether it is instant.
  public func flush(instant: Bool) {
    state.withLock { $0.record.flushes.append(instant) }
  }

  /// Writes the call down; it has no influence on flags.
  ///
  /// - Parameter legalConsent: Whether the visitor consents.
  public func setLegalConsent(_ legalConsent: Bool) {
    state.withLock { $0.record.consents.append(legalConsent) }
  }

  /// Sets what ``announceUpdate()`` calls.
  ///
  /// - Parameter handler: The handler; nil for none.
  public func updateConfigurationHandler(_ handler: (() -> Void)?) {
    let handedOver = handler.map { handler in HandedOver<Void>(run: handler) }
    state.withLock { $0.updateHandler = handedOver }
  }
}
