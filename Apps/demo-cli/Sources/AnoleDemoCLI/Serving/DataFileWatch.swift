// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEmulator
import AnoleModels
import AnoleNetworking

/// Serves a data file, and what it becomes.
///
/// The file is looked at twice a second. A good new one is served, and the open streams are told; of a bad
/// one it is told why, and the one before stays.
struct DataFileWatch {
  static let interval = Duration.milliseconds(500)

  /// What a look has found.
  enum Finding: Sendable, Hashable {
    /// The new file is served.
    case served(bytes: Int, flags: Int, streams: Int)
    /// The new file is not served.
    case refused(Failure)
  }

  /// What stood at the path; nil in it for nothing.
  private struct State: Equatable {
    let stamp: FileStamp?
  }

  private let path: String?
  private let name: String
  private let emulator: Emulator
  private let environment: Environment
  private var bytes: [UInt8]
  private var served: State
  /// A state that was bad at the last look: it may have been half written.
  private var suspected: State?
  /// The bad state that was told.
  private var told: State?
  /// The last `Last-Modified`, in seconds.
  private var lastModified: Int64

  /// Reads the file that is named, or the built-in one with nil, and lets the emulator serve it.
  ///
  /// - Throws: a sentence if it is no data file.
  init(_ path: String?, on emulator: Emulator, in environment: Environment) throws(Failure) {
    self.path = path == "-" ? nil : path
    name = DataSource.name(of: path)
    self.emulator = emulator
    self.environment = environment
    // Before the file is read, so that a change after it is seen.
    served = State(stamp: self.path.flatMap(environment.stamp))
    bytes =
      try path.map { (path) throws(Failure) in try environment.read(path) }
      ?? Array(ShopDataFile.text.utf8)
    _ = try DataSource.read(bytes, name: name)
    lastModified = environment.wallClock.seconds
    serve()
  }

  /// Looks again and again until the task is cancelled; tells what it finds.
  mutating func run(isJSON: Bool) async {
    guard path != nil else { return }
    while !Task.isCancelled {
      // Only cancellation ends the wait early.
      do { try await environment.clock.sleep(for: Self.interval) } catch { return }
      guard let finding = look() else { continue }
      guard environment.say(text(of: finding, isJSON: isJSON)) else { return }
    }
  }

  /// Looks once; nil if there is nothing new to tell.
  mutating func look() -> Finding? {
    guard let path else { return nil }
    let state = State(stamp: environment.stamp(path))
    guard state != served else {
      suspected = nil
      return nil
    }
    do throws(Failure) {
      let new = try environment.read(path)
      let reading = try DataSource.read(new, name: name)
      served = state
      suspected = nil
      guard new != bytes else { return nil }
      bytes = new
      lastModified = max(environment.wallClock.seconds, lastModified + 1)
      serve()
      let streams = emulator.pushConfigurationUpdate(
        timestamp: environment.wallClock.milliseconds)
      return .served(
        bytes: new.count, flags: reading.dataFile.featureFlags.count, streams: streams)
    } catch {
      guard suspected == state, told != state else {
        suspected = state
        return nil
      }
      told = state
      return .refused(error)
    }
  }

  private func serve() {
    let time = Timestamp(milliseconds: lastModified * 1_000)
    emulator.setDataFile(bytes, lastModified: HTTPDate.text(time))
  }

  private func text(of finding: Finding, isJSON: Bool) -> String {
    switch finding {
    case .served(let bytes, let flags, let streams):
      guard !isJSON else {
        let members: [(String, JSONValue?)] = [
          ("reloaded", .string(name)), ("bytes", .count(bytes)), ("flags", .count(flags)),
          ("streams", .count(streams)),
        ]
        return JSONValue.members(members).text()
      }
      return "\(name) is served anew: \(Wording.count(bytes, "byte")), "
        + "\(Wording.count(flags, "flag")); \(Wording.count(streams, "stream")) told"
    case .refused(let failure):
      guard !isJSON else { return JSONValue.members([("refused", .string("\(failure)"))]).text() }
      return "\(failure); the one before is served"
    }
  }
}
