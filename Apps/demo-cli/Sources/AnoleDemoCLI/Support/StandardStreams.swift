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
  /// Lets a write to a closed pipe fail instead of ending the program by a signal.
  static func ignoreClosedPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Writes an output.
  ///
  /// - Returns: the exit status. A reader that went away, as `head` does, is no failure.
  static func put(_ output: Output) -> Int32 {
    var status = output.status
    if let cause = send(output.text, to: STDOUT_FILENO), cause != EPIPE {
      let reason = strerror(cause).map { String(cString: $0) } ?? "error \(cause)"
      _ = send("demo-cli: standard output: cannot be written (\(reason))\n", to: STDERR_FILENO)
      status = ExitStatus.failure
    }
    let remarks = output.remarks.map { "demo-cli: \($0)\n" }.joined()
    // There is no place left to report that standard error is closed.
    _ = send(remarks, to: STDERR_FILENO)
    return status
  }

  /// Writes a line to standard output at once.
  ///
  /// - Returns: false if it cannot be written, for example as the reader went away.
  static func say(_ line: String) -> Bool {
    send(Printable.text(line) + "\n", to: STDOUT_FILENO) == nil
  }

  /// Writes all of a text; the cause if that fails.
  private static func send(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
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
