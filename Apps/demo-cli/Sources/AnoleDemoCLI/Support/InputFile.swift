// SPDX-License-Identifier: Apache-2.0

import AnoleModels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads files and standard input.
enum InputFile {
  /// The greatest size that is read: many times any real data file, and it fits in memory.
  static let sizeLimit = 256 << 20
  private static let chunkSize = 1 << 16

  /// The bytes of a file, or of standard input for `-`.
  static func bytes(of path: String) throws(Failure) -> [UInt8] {
    let name = path == "-" ? "standard input" : Printable.line(path)
    guard !path.isEmpty else { throw Failure("the file's name is empty; name a file, or -") }
    guard path != "-" else { return try bytes(STDIN_FILENO, name) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(name) }
    defer { close(descriptor) }
    return try bytes(descriptor, name)
  }

  /// The bytes of a file; nil if there is none.
  static func bytesIfPresent(_ path: String) throws(Failure) -> [UInt8]? {
    guard access(path, F_OK) == 0 else { return nil }
    return try bytes(of: path)
  }

  private static func bytes(_ descriptor: Int32, _ name: String) throws(Failure) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(name) }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw Failure("\(name): is a folder; name a file in it")
    }
    var bytes: [UInt8] = []
    if status.st_size > 0 { bytes.reserveCapacity(min(Int(status.st_size), sizeLimit)) }
    var chunk = [UInt8](repeating: 0, count: chunkSize)
    while true {
      let count = read(descriptor, &chunk, chunkSize)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(name) }
      if count == 0 { return bytes }
      guard bytes.count + count <= sizeLimit else {
        throw .data("\(name): is larger than \(sizeLimit >> 20) MiB; that is no data file")
      }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// What the last system call failed with.
  private static func failure(_ name: String) -> Failure {
    let cause = errno
    switch cause {
    case ENOENT, ENOTDIR:
      return Failure("\(name): there is no such file; check the path")
    case EACCES, EPERM:
      return Failure("\(name): no permission to read it; change its mode or run as its owner")
    default:
      return Failure("\(name): cannot be read (\(SystemError.text(cause))); check the path")
    }
  }
}
