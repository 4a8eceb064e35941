// SPDX-License-Identifier: Apache-2.0

extension Emulator {
  /// Sets which remote flags devices and users get from now on.
  ///
  /// The JSON text is an object with the optional members `plan` (false: the plan has no feature
  /// flags), `partial` (true: answers are marked as partial) and `flags`, a list of objects with
  /// `key`, `enabled`, `killed`, `archived`, `properties` and `rules`. The first rule that lists the
  /// user in `users` or the device in `devices`, or lists nobody, decides: `id`, `enabled` (true
  /// unless said) and `properties`, which replace the flag's own of the same name.
  ///
  /// - Parameters:
  ///   - json: The rules.
  ///   - application: The application code; nil for all that have no rules of their own.
  /// - Throws: ``RemoteFlagRulesError`` that names the place of a mistake; the rules before stay.
  public func setRemoteFlags(
    _ json: [UInt8], application: String? = nil
  ) throws(RemoteFlagRulesError) {
    let rules = try RemoteFlagRules(parsing: json)
    core.change { $0.remoteFlags.set(rules, application: application) }
  }

  /// Sets remote flags from a string; see ``setRemoteFlags(_:application:)-([UInt8],_)``.
  public func setRemoteFlags(
    _ json: String, application: String? = nil
  ) throws(RemoteFlagRulesError) {
    try setRemoteFlags(Array(json.utf8), application: application)
  }

  /// Removes remote flags; the application gets the general ones, or none.
  public func removeRemoteFlags(application: String? = nil) {
    core.change { $0.remoteFlags.set(nil, application: application) }
  }

  /// Sets the token that the device API asks for; nil, as at first, for none.
  public func setDeviceAPIToken(_ token: String?) {
    core.change { $0.remoteFlags.token = token }
  }

  /// The impressions of all accepted event requests that are still in the journal, oldest first.
  public var impressions: [FlagImpression] {
    requests(.postEvent).filter { $0.status == 200 }.compactMap(FlagImpression.init)
  }
}
