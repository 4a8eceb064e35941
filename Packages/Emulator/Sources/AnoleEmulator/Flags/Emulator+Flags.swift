// SPDX-License-Identifier: Apache-2.0

extension Emulator {
  /// Switches a flag of a served data file on or off.
  ///
  /// This and the other changes of flags rewrite only the value in question: every other byte of the
  /// file stays, but for `dateModified`, which moves on if the file has it. `Last-Modified` is later
  /// than before, an `ETag` is a new one, and the open streams hear of a configuration update. If the
  /// value is the same as before nothing happens.
  ///
  /// - Parameters:
  ///   - key: The flag's key; of several flags with the same key the last is meant.
  ///   - isEnabled: The new value of `environmentEnabled`.
  ///   - environment: The environment for which the file was set.
  ///   - siteCode: The site code for which the file was set. Without both it is the general file, or
  ///     else the only one.
  /// - Returns: How many streams were told.
  /// - Throws: ``FlagEditError``; the file stays as it was.
  @discardableResult
  public func setFlag(
    _ key: String, isEnabled: Bool, environment: String? = nil, siteCode: String? = nil
  ) throws(FlagEditError) -> Int {
    try core.change(
      .enabled(isEnabled), ofFlag: key, siteCode: siteCode, environment: environment
    ).streams
  }

  /// Sets which share of the targeted visitors a rule of a flag admits.
  ///
  /// Raising it moves nobody who was in. See ``setFlag(_:isEnabled:environment:siteCode:)``.
  /// - Parameters:
  ///   - share: From 0 to 1.
  ///   - rule: The rule's id.
  ///   - key: The flag's key.
  /// - Returns: How many streams were told.
  /// - Throws: ``FlagEditError``; the file stays as it was.
  @discardableResult
  public func setExposition(
    _ share: Double, ofRule rule: Int64, inFlag key: String, environment: String? = nil,
    siteCode: String? = nil
  ) throws(FlagEditError) -> Int {
    try core.change(
      .exposition(share, rule: rule), ofFlag: key, siteCode: siteCode, environment: environment
    ).streams
  }

  /// Sets the shares of the variations of a rule.
  ///
  /// See ``setFlag(_:isEnabled:environment:siteCode:)``.
  /// - Parameters:
  ///   - shares: A share for each entry of the split, in its order, from 0 to 1, together at most 1.
  ///   - rule: The rule's id.
  ///   - key: The flag's key.
  /// - Returns: How many streams were told.
  /// - Throws: ``FlagEditError``; the file stays as it was.
  @discardableResult
  public func setSplit(
    _ shares: [Double], ofRule rule: Int64, inFlag key: String, environment: String? = nil,
    siteCode: String? = nil
  ) throws(FlagEditError) -> Int {
    try core.change(
      .split(shares, rule: rule), ofFlag: key, siteCode: siteCode, environment: environment
    ).streams
  }

  /// Kills a remote flag, or lets it live again: while it is killed everybody gets it switched off,
  /// without the properties of a rule.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - isKilled: Whether it is killed.
  ///   - application: The application code for which the rules were set; nil for the general ones.
  /// - Throws: ``FlagEditError``; the rules stay as they were.
  public func setRemoteFlag(
    _ key: String, isKilled: Bool, application: String? = nil
  ) throws(FlagEditError) {
    try core.changeRemoteFlag(key, "killed", isKilled, application: application)
  }

  /// Switches a remote flag on or off for those whom no rule admits.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - isEnabled: Whether it is enabled.
  ///   - application: The application code for which the rules were set; nil for the general ones.
  /// - Throws: ``FlagEditError``; the rules stay as they were.
  public func setRemoteFlag(
    _ key: String, isEnabled: Bool, application: String? = nil
  ) throws(FlagEditError) {
    try core.changeRemoteFlag(key, "enabled", isEnabled, application: application)
  }
}
