// SPDX-License-Identifier: Apache-2.0

/// Whom a line is about (network specification, section 3.10).
public enum TrackingIdentity: Sendable, Hashable {
  /// The visitor code.
  case visitorCode(String)
  /// A customer's user id that is linked to an anonymous visitor.
  case mappingValue(String)
}
