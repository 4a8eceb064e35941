// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking
import AnoleTargeting

/// What a command may touch of the world: files, the clock, and standard output while it runs.
struct Environment: Sendable {
  /// Reads a file, or standard input for `-`.
  let read: @Sendable (_ path: String) throws(Failure) -> [UInt8]
  /// Reads the system clock.
  let now: @Sendable () -> Timestamp
  /// Writes a line to standard output at once, for commands that go on; false if nobody reads any
  /// more.
  let say: @Sendable (_ line: String) -> Bool
  /// What `SDK_LANGUAGE` conditions are compared with.
  var sdk = SDKIdentity(name: "SWIFT", version: "4.27.2")
  /// Measures pauses.
  var clock: any Clock<Duration> = ContinuousClock()
  /// Reads an environment variable; nil if it is not set.
  var variable: @Sendable (_ name: String) -> String? = { _ in nil }

  /// The files and the clock of this computer.
  static let live = Environment(
    read: { (path) throws(Failure) in try InputFile.bytes(of: path) },
    now: { Timestamp(milliseconds: WallClock.system.milliseconds) },
    say: { StandardStreams.say($0) },
    variable: { HTTPProxy.environmentVariable($0) })
}
