// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Which data file a client starts with (network specification, section 1.7).
enum StartFile: Sendable, Hashable {
  /// None: the first fetch decides.
  case none
  /// The stored one.
  case stored
  /// The default given by the application.
  case givenDefault

  /// Chooses.
  ///
  /// - Parameters:
  ///   - stored: when the usable stored file was last changed; zero if it does not say, nil if there
  ///     is none.
  ///   - givenDefault: when the readable default file was last changed, likewise.
  static func choose(stored: Timestamp?, givenDefault: Timestamp?) -> StartFile {
    switch (stored, givenDefault) {
    case (nil, nil): .none
    case (nil, .some): .givenDefault
    case (.some, nil): .stored
    case (.some(let stored), .some(let given)): given > stored ? .givenDefault : .stored
    }
  }
}
