// SPDX-License-Identifier: Apache-2.0

import AnoleStorageTesting

extension ChildProcess {
  /// Starts `AnoleTrackingCrashWriter`.
  static func writer(
    _ arguments: [String], environment: [String: String]? = nil
  ) throws -> ChildProcess {
    try ChildProcess(built: "AnoleTrackingCrashWriter", arguments, environment: environment)
  }
}
