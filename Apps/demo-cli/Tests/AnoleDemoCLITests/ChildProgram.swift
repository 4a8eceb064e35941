// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AnoleDemoCLI

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The built program as a process, with its streams led where a test wants them.
///
/// Used by one thread at a time; killed with the value.
final class ChildProgram {
  /// Where standard output leads.
  enum Target {
    /// To the test.
    case pipe
    /// To a pipe that nobody reads any more.
    case brokenPipe
    /// Nowhere: the descriptor is closed.
    case closed
    case file(String)
    /// To a terminal of so many columns, which standard error shares.
    case terminal(columns: Int)
    /// To a file that is made; standard error leads to a terminal instead.
    case fileBesideTerminal(String)
  }

  /// How a process ended.
  enum End: Equatable {
    case status(Int32)
    case signal(Int32)
  }

  private let identifier: pid_t
  private let output: Int32
  private let errorFile: String
  private var buffer: [UInt8] = []
  private var end: End?

  /// Starts the program.
  ///
  /// - Parameter environment: all variables it has.
  init(
    _ arguments: [String], environment: [String: String] = [:], to target: Target = .pipe
  ) throws {
    var ends: [Int32] = [-1, -1]
    switch target {
    case .terminal(let columns): ends = try Self.terminal(columns)
    case .fileBesideTerminal: ends = try Self.terminal(80)
    default:
      try #require(pipe(&ends) == 0)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    errorFile = try TemporaryFolder.make() + "/errors"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, 2, errorFile, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    switch target {
    case .pipe, .brokenPipe: posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    case .closed: posix_spawn_file_actions_addclose(&actions, 1)
    case .file(let path): posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY, 0)
    case .fileBesideTerminal(let path):
      posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT, 0o600)
      posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    case .terminal:
      posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
      posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    }
    if case .brokenPipe = target {
      close(ends[0])
      ends[0] = -1
    }
    var words: [UnsafeMutablePointer<CChar>?] = ([Self.program] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") }
    defer { for variable in variables { free(variable) } }
    variables.append(nil)
    // The signals as a shell leaves them, whatever the tests have done.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var usual = sigset_t()
    sigemptyset(&usual)
    posix_spawnattr_setsigmask(&attributes, &usual)
    for number in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&usual, number) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    var started: pid_t = 0
    let code = posix_spawn(&started, Self.program, &actions, &attributes, words, variables)
    close(ends[1])
    identifier = started
    output = ends[0]
    try #require(code == 0, "\(Self.program): \(String(cString: strerror(code)))")
  }

  deinit {
    if end == nil { kill(identifier, SIGKILL) }
    waitForEnd()
    if output >= 0 { close(output) }
    TemporaryFolder.remove(String(errorFile.dropLast("/errors".count)))
  }

  /// It is built beside the tests.
  private static let program: String = {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent("demo-cli").path
  }()

  /// A pseudo terminal: the test's end, and the program's.
  private static func terminal(_ columns: Int) throws -> [Int32] {
    let main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(main >= 0)
    // TIOCSPTLCK and TIOCGPTN of Linux; Glibc's functions for them do not import.
    var isLocked: Int32 = 0
    var number: Int32 = 0
    try #require(ioctl(main, UInt(0x4004_5431), &isLocked) == 0)
    try #require(ioctl(main, UInt(0x8004_5430), &number) == 0)
    let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(other >= 0)
    var size = winsize(
      ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(other, UInt(TIOCSWINSZ), &size) == 0)
    return [main, other]
  }

  // MARK: - Watching

  /// The next line of standard output; nil at its end.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      guard readMore() else { return nil }
    }
  }

  /// Waits until a text has come; false if the output ends before.
  func wait(for text: String) -> Bool {
    while !String(decoding: buffer, as: UTF8.self).contains(text) {
      guard readMore() else { return false }
    }
    return true
  }

  /// All that is left of standard output.
  func rest() -> String {
    while readMore() {}
    defer { buffer = [] }
    return String(decoding: buffer, as: UTF8.self)
  }

  private func readMore() -> Bool {
    guard output >= 0 else { return false }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(output, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      // A terminal whose program has ended gives an error.
      guard count > 0 else { return false }
      buffer += chunk.prefix(count)
      return true
    }
  }

  /// What it wrote to standard error until now.
  var errors: String {
    // Missing only if the program never started.
    String(decoding: (try? InputFile.bytes(of: errorFile)) ?? [], as: UTF8.self)
  }

  func send(_ signal: Int32) { kill(identifier, signal) }

  /// Waits for the end.
  @discardableResult
  func waitForEnd() -> End {
    if let end { return end }
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    let reached: End = signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal)
    end = reached
    return reached
  }
}

@available(*, unavailable)
extension ChildProgram: Sendable {}
