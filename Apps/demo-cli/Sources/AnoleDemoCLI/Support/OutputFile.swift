// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes files whole: into a file beside, which then takes the name.
enum OutputFile {
  /// Writes a file; on failure what was there stays.
  static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let name = Printable.line(path)
    guard !path.isEmpty else { throw Failure("the file's name is empty; name a file") }
    var template = Array((path + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw failure(name) }
    let temporary = String(
      decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    // As a file that is made anew has it; mkstemp keeps it to its owner.
    let mask = umask(0)
    umask(mask)
    var isWritten = fchmod(descriptor, 0o666 & ~mask) == 0
    isWritten = isWritten && StandardStreams.send(bytes, to: descriptor) == nil
    let cause = errno
    let isClosed = close(descriptor) == 0
    guard isWritten, isClosed, rename(temporary, path) == 0 else {
      let failure = failure(name, isWritten ? errno : cause)
      unlink(temporary)
      throw failure
    }
  }

  /// Adds to the end of a file, which is made if it is missing; with no bytes only that.
  static func append(_ bytes: [UInt8], to path: String) throws(Failure) {
    let name = Printable.line(path)
    guard !path.isEmpty else { throw Failure("the file's name is empty; name a file") }
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(name) }
    let isWritten = bytes.isEmpty || StandardStreams.send(bytes, to: descriptor) == nil
    let cause = errno
    guard close(descriptor) == 0, isWritten else { throw failure(name, isWritten ? errno : cause) }
  }

  /// What a system call failed with.
  private static func failure(_ name: String, _ cause: Int32 = errno) -> Failure {
    switch cause {
    case ENOENT, ENOTDIR: return Failure("\(name): there is no such folder; make it first")
    case EACCES, EPERM, EROFS:
      return Failure("\(name): no permission to write there; name another place")
    case EISDIR: return Failure("\(name): is a folder; name a file in it")
    default:
      return Failure("\(name): cannot be written (\(SystemError.text(cause))); name another place")
    }
  }
}

/// Words for the errors of system calls.
enum SystemError {
  static func text(_ cause: Int32) -> String {
    strerror(cause).map { String(cString: $0) } ?? "error \(cause)"
  }
}
