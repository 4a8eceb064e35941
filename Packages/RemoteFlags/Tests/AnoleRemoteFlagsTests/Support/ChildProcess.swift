// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A process whose lines the test reads.
///
/// Not `Foundation.Process`: that needs a run loop to forget its processes, and the address sanitizer takes
/// what it still remembers for a leak.
final class ChildProcess {
  struct SpawnError: Error {
    let code: Int32
  }

  private let identifier: pid_t
  private let output: Int32
  private var buffer: [UInt8] = []
  private var status: Int32?

  /// Starts a program; its standard output goes to ``line()``, its standard error nowhere.
  init(_ program: String, _ arguments: [String]) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SpawnError(code: errno) }
    defer { close(ends[1]) }
    // Other children must not hold the pipe open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var started: pid_t = 0
    let code = posix_spawnp(&started, program, &actions, nil, words, environ)
    guard code == 0 else {
      close(ends[0])
      throw SpawnError(code: code)
    }
    identifier = started
    output = ends[0]
  }

  /// Starts `AnoleRemoteFlagsCrashWriter`, which is built beside the test program.
  static func writer(_ arguments: [String]) throws -> ChildProcess {
    #if canImport(Darwin)
      let bundle = try #require(Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") })
      let program = bundle.bundleURL
    #else
      let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #endif
    let writer = program.deletingLastPathComponent()
      .appendingPathComponent("AnoleRemoteFlagsCrashWriter")
    return try ChildProcess(writer.path, arguments)
  }

  deinit {
    kill()
    close(output)
  }

  /// The next line; `nil` when the process has ended.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = read(output, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      buffer += chunk.prefix(count)
    }
  }

  func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }

  /// Ends the process, between any two instructions, if it has not ended by itself.
  func kill() {
    guard status == nil else { return }
    Foundation.kill(identifier, SIGKILL)
    _ = waitUntilExit()
  }

  /// Waits for the end.
  ///
  /// - Returns: What the process left: 0 for success.
  func waitUntilExit() -> Int32 {
    if let status { return status }
    var left: Int32 = 0
    while waitpid(identifier, &left, 0) < 0, errno == EINTR {}
    status = left
    return left
  }
}
