// SPDX-License-Identifier: Apache-2.0

import AnoleStorageTesting

extension ChildProcess {
  /// Starts `AnoleStorageCrashWriter`.
  static func writer(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(built: "AnoleStorageCrashWriter", arguments)
  }
}

/// The writer's bytes: name, number and a filling that follows from the number; `nil` when they are not whole.
func parseBody(_ body: [UInt8]) -> (name: String, number: Int)? {
  let parts = body.split(separator: 58, maxSplits: 2, omittingEmptySubsequences: false)
  guard parts.count == 3, let number = Int(String(decoding: parts[1], as: UTF8.self)) else {
    return nil
  }
  let filling = Array(
    repeating: UInt8(truncatingIfNeeded: number), count: number &* 37 % 700)
  guard Array(parts[2]) == filling else { return nil }
  return (String(decoding: parts[0], as: UTF8.self), number)
}
