// SPDX-License-Identifier: Apache-2.0

import AnoleStorageTesting

extension ChildProcess {
  /// Starts `AnoleRemoteFlagsCrashWriter`.
  static func writer(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(built: "AnoleRemoteFlagsCrashWriter", arguments)
  }
}
