// SPDX-License-Identifier: Apache-2.0

/// Which statuses count as success.
public struct StatusRule: Sendable, Hashable {
  private let others: [Int]

  /// The platform's rule: 2xx, 304 and 403.
  ///
  /// A 403 to tracking means "taken for a bot"; such data count as delivered, so that they are not
  /// sent for ever.
  public static let platform = StatusRule(others: [304, 403])
  /// 2xx alone: answers whose body is wanted.
  public static let successful = StatusRule(others: [])

  /// Whether a status is a success.
  public func accepts(_ status: Int) -> Bool {
    (200...299).contains(status) || others.contains(status)
  }
}
