// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc

  /// A program that a test starts, with its output read through a socket.
  ///
  /// Ended by ``stop()``.
  package final class ChildProcess: Sendable {
    private let process: pid_t
    private let output: Int32

    /// Starts a program; nil where it is missing.
    ///
    /// - Parameter inheriting: A descriptor that the program gets as number 3, and a variable for its
    ///   environment.
    package init?(_ arguments: [String], inheriting: (descriptor: Int32, variable: String)? = nil) {
      var ends: [Int32] = [-1, -1]
      // Unlike a pipe it is never, not for a moment, inherited by the children of other tests.
      let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
      var texts = arguments.map { strdup($0) }
      defer { for text in texts { free(text) } }
      texts.append(nil)
      var variables: [UnsafeMutablePointer<CChar>?]?
      defer { for variable in variables ?? [] { free(variable) } }
      if let inheriting {
        posix_spawn_file_actions_adddup2(&actions, inheriting.descriptor, 3)
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        variables = [strdup(inheriting.variable), strdup("PATH=\(path)"), nil]
      }
      var process = pid_t()
      let status =
        if var variables {
          posix_spawnp(&process, arguments[0], &actions, nil, texts, &variables)
        } else {
          posix_spawnp(&process, arguments[0], &actions, nil, texts, nil)
        }
      close(ends[1])
      guard status == 0 else {
        close(ends[0])
        return nil
      }
      self.process = process
      output = ends[0]
    }

    /// Reads output until a line satisfies a condition; nil at its end.
    package func line(where isWanted: (String) -> Bool) -> String? {
      var text: [UInt8] = []
      var byte: UInt8 = 0
      while read(output, &byte, 1) == 1 {
        guard byte == 0x0a else {
          text.append(byte)
          continue
        }
        let line = String(decoding: text, as: UTF8.self)
        if isWanted(line) { return line }
        text = []
      }
      return nil
    }

    /// Waits for the end of the program.
    ///
    /// - Returns: True if it succeeded.
    package func wait() -> Bool {
      _ = line { _ in false }
      var status: Int32 = 0
      waitpid(process, &status, 0)
      close(output)
      return status == 0
    }

    /// Ends the program.
    package func stop() {
      kill(process, SIGKILL)
      _ = wait()
    }

    /// Tells the program to end, with the processes that it has started, and waits until they have.
    package func terminate() {
      kill(process, SIGTERM)
      _ = wait()
    }

    /// Runs a program to its end; true if it succeeded.
    package static func run(_ arguments: [String]) -> Bool {
      ChildProcess(arguments)?.wait() ?? false
    }
  }
#endif
