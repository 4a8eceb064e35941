// SPDX-License-Identifier: Apache-2.0

/// The kind of device a visitor uses.
///
/// The client finds it itself; a datum that is added takes its place.
public enum Device: KameleoonData, Hashable, CaseIterable {
  /// A telephone.
  case phone
  /// A tablet.
  case tablet
  /// A computer.
  case desktop
}
