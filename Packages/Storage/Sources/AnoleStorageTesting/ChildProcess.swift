// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A process whose lines a test reads; killed with the value.
///
/// Test support. Not `Foundation.Process`: that needs a run loop to forget its processes, and the address
/// sanitizer takes what it still remembers for a leak. One thread at a time may use it.
public final class ChildProcess {
  /// A program that could not be started.
  public struct SpawnError: Error, CustomStringConvertible {
    /// The program.
    public let program: String
    /// The number of the system's error.
    public let code: Int32

    /// The program, and why it was not started.
    public var description: String {
      "\(program) was not started: \(String(cString: strerror(code)))"
    }
  }

  private let identifier: pid_t
  private let output: Int32
  private let input: Int32
  private var buffer: [UInt8] = []
  private var status: Int32?

  /// Starts a program; its standard output goes to ``line()``, its standard error nowhere.
  ///
  /// - Parameters:
  ///   - program: A path, or a name that is looked up.
  ///   - arguments: Those after the name of the program.
  ///   - environment: In place of this process's; nil for that.
  /// - Throws: ``SpawnError``.
  public init(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil
  ) throws {
    var output: [Int32] = [0, 0]
    var input: [Int32] = [0, 0]
    guard pipe(&output) == 0, pipe(&input) == 0 else {
      throw SpawnError(program: program, code: errno)
    }
    defer {
      close(output[1])
      close(input[0])
    }
    // Other children must not hold the pipes open.
    for end in output + input { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input[0], 0)
    posix_spawn_file_actions_adddup2(&actions, output[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var settings: [UnsafeMutablePointer<CChar>?] = (environment ?? [:]).map {
      strdup("\($0)=\($1)")
    }
    defer { for setting in settings { free(setting) } }
    settings.append(nil)
    var started: pid_t = 0
    let code =
      environment == nil
      ? posix_spawnp(&started, program, &actions, nil, words, environ)
      : posix_spawnp(&started, program, &actions, nil, words, settings)
    guard code == 0 else {
      close(output[0])
      close(input[1])
      throw SpawnError(program: program, code: code)
    }
    identifier = started
    self.output = output[0]
    self.input = input[1]
  }

  /// Starts an executable of the package under test, which is built beside the test program.
  ///
  /// - Parameters:
  ///   - name: The name of the executable's target.
  ///   - arguments: Those after the name of the program.
  ///   - environment: In place of this process's; nil for that.
  /// - Throws: ``SpawnError``.
  public convenience init(
    built name: String, _ arguments: [String], environment: [String: String]? = nil
  ) throws {
    #if canImport(Darwin)
      guard let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") })
      else { throw SpawnError(program: name, code: ENOENT) }
      let tests = bundle.bundleURL
    #else
      let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #endif
    let program = tests.deletingLastPathComponent().appendingPathComponent(name)
    try self.init(program.path, arguments, environment: environment)
  }

  deinit {
    kill()
    close(output)
    close(input)
  }

  /// Writes a line to the process's standard input.
  public func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(input, bytes, bytes.count)
  }

  /// The next line; `nil` when the process has ended.
  public func line() -> String? {
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

  /// All further lines, to the end of the process.
  public func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }

  /// Ends the process, between any two instructions, if it has not ended by itself.
  public func kill() {
    guard status == nil else { return }
    Foundation.kill(identifier, SIGKILL)
    waitUntilExit()
  }

  /// Waits for the end.
  ///
  /// - Returns: What the process left: 0 for success.
  @discardableResult
  public func waitUntilExit() -> Int32 {
    if let status { return status }
    var left: Int32 = 0
    while waitpid(identifier, &left, 0) < 0, errno == EINTR {}
    status = left
    return left
  }
}

@available(*, unavailable)
extension ChildProcess: Sendable {}
