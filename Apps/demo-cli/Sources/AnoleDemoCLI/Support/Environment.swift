// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking
import AnoleTargeting

/// What a command may touch of the world: files, the clock, chance, and the standard streams while it
/// runs.
struct Environment: Sendable {
  /// Reads a file, or standard input for `-`.
  let read: @Sendable (_ path: String) throws(Failure) -> [UInt8]
  /// Reads the system clock.
  let now: @Sendable () -> Timestamp
  /// Writes a line to standard output at once, for commands that go on; false if nobody reads any
  /// more.
  let say: @Sendable (_ line: String) -> Bool
  /// Reads a file; nil if there is none.
  var readIfPresent: @Sendable (_ path: String) throws(Failure) -> [UInt8]? = {
    (path) throws(Failure) in nil
  }
  /// Writes a file whole, or leaves it as it is.
  var write: @Sendable (_ bytes: [UInt8], _ path: String) throws(Failure) -> Void = {
    (bytes, path) throws(Failure) in try OutputFile.write(bytes, to: path)
  }
  /// Adds to the end of a file, which is made if it is missing.
  var append: @Sendable (_ bytes: [UInt8], _ path: String) throws(Failure) -> Void = {
    (bytes, path) throws(Failure) in try OutputFile.append(bytes, to: path)
  }
  /// By what a changed file is recognised; nil if there is none.
  var stamp: @Sendable (_ path: String) -> FileStamp? = { FileStamp(of: $0) }
  /// Lists a folder, without what is in its folders, by name.
  var list: @Sendable (_ path: String) throws(Failure) -> [FolderEntry] = {
    (path) throws(Failure) in try FolderEntry.list(path)
  }
  /// What `SDK_LANGUAGE` conditions are compared with.
  var sdk = SDKIdentity(name: "SWIFT", version: "4.27.2")
  /// Measures pauses.
  var clock: any Clock<Duration> = ContinuousClock()
  /// Reads an environment variable; nil if it is not set.
  var variable: @Sendable (_ name: String) -> String? = { _ in nil }
  /// Makes a generator of chance.
  var chance: @Sendable () -> any RandomNumberGenerator = { SystemRandomNumberGenerator() }
  /// Shows how far long work has come.
  var progress = Progress.none

  /// ``now`` for the packages that keep times.
  var wallClock: WallClock { WallClock { now().milliseconds } }

  /// The files, the clock and the streams of this computer.
  static let live = Environment(
    read: { (path) throws(Failure) in try InputFile.bytes(of: path) },
    now: { Timestamp(milliseconds: WallClock.system.milliseconds) },
    say: { StandardStreams.say($0) },
    readIfPresent: { (path) throws(Failure) in try InputFile.bytesIfPresent(path) },
    variable: { HTTPProxy.environmentVariable($0) },
    progress: .live)
}
