// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// By what a changed file is recognised: which file it is, when it was written, and its size.
struct FileStamp: Sendable, Hashable {
  private let file: UInt64
  private let seconds: Int
  private let nanoseconds: Int
  private let size: Int

  /// The stamp of the file at a path; nil if there is none.
  init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    file = UInt64(status.st_ino)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    seconds = Int(time.tv_sec)
    nanoseconds = Int(time.tv_nsec)
    size = Int(status.st_size)
  }

  /// A made-up stamp.
  init(_ number: Int) {
    file = 0
    seconds = number
    nanoseconds = 0
    size = 0
  }
}
