// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes to standard output and standard error.
enum StandardStreams {
  /// Puts something in the place of streams that are closed, so that no file or socket gets their
  /// number, and with it what is meant for them; reading from or writing to them goes on to fail.
  static func occupyClosedOnes() {
    for (number, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ]
    where fcntl(number, F_GETFD) < 0 {
      // The lowest free number is taken: this one.
      _ = open("/dev/null", mode)
    }
  }

  /// Lets a write to a closed pipe fail instead of ending the program by a signal.
  static func ignoreClosedPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Writes an output: as it is, or for a terminal in colour and no wider than it.
  ///
  /// - Returns: the exit status. A reader that went away, as `head` does, is no failure.
  static func put(_ output: Output) -> Int32 {
    var status = output.status
    let text = Terminal.standardOutput.map(output.text(for:)) ?? output.text
    if let cause = send(Array(text.utf8), to: STDOUT_FILENO), cause != EPIPE {
      complain("standard output: cannot be written (\(SystemError.text(cause)))")
      status = ExitStatus.usage
    }
    for remark in output.remarks { complain(remark) }
    return status
  }

  /// Writes a line to standard output at once.
  ///
  /// - Returns: false if it cannot be written, for example as the reader went away.
  static func say(_ line: String) -> Bool {
    send(Array((Printable.text(line) + "\n").utf8), to: STDOUT_FILENO) == nil
  }

  /// Writes a sentence to standard error.
  static func complain(_ sentence: String) {
    // There is no place left to report that standard error is closed.
    _ = send(Array("\(Program.name): \(sentence)\n".utf8), to: STDERR_FILENO)
  }

  /// Writes all bytes; the cause if that fails.
  static func send(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes
      while let start = rest.baseAddress, !rest.isEmpty {
        let count = write(descriptor, start, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          return errno
        }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
      return nil
    }
  }
}
