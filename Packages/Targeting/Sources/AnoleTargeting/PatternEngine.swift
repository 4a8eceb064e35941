// SPDX-License-Identifier: Apache-2.0

/// What searches for the regular expressions of conditions.
public enum PatternEngine: Sendable {
  /// Its name and, where it tells one, its version, such as `PCRE2 10.42 2022-12-11`.
  public static var description: String { Pattern.engine }
}
