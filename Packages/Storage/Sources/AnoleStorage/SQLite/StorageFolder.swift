// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The folder of a store and the files in it, whose names are fixed.
///
/// It never opens the database file once that exists: closing a second descriptor of it would take away the
/// locks that SQLite holds for the whole process.
struct StorageFolder {
  /// Tells a file from another one that takes its path.
  struct Identity: Equatable {
    let device: UInt64
    let number: UInt64
  }

  enum Kind: Equatable {
    case missing
    case file
    case other
  }

  static let fileName = "anole.sqlite"
  private static let lockName = "anole.lock"
  /// SQLite's companions of the file, by suffix.
  static let companions = ["-wal", "-shm", "-journal"]
  /// How many files set aside are kept; the last place is overwritten when all are taken.
  static let asideCount = 5

  /// The folder, without symbolic links.
  let path: String

  var file: String { path + "/" + Self.fileName }

  /// Makes the folder, with those above it, for the owner only.
  ///
  /// A folder that exists keeps its permissions.
  init(preparing folder: String) throws(StorageFailure) {
    guard !folder.isEmpty, !folder.utf8.contains(0) else {
      throw StorageFailure(
        kind: .unavailable, message: "the path of the folder is empty or has a NUL")
    }
    var end = folder.startIndex
    while end < folder.endIndex {
      end = folder[end...].dropFirst().firstIndex(of: "/") ?? folder.endIndex
      // That it exists is fine; every other failure shows when the path is resolved.
      mkdir(String(folder[..<end]), 0o700)
    }
    guard let resolved = realpath(folder, nil) else {
      throw Self.failure("the folder of the store cannot be made")
    }
    defer { free(resolved) }
    path = String(cString: resolved)
  }

  /// Takes a folder that exists; nil if there is none.
  init?(existing folder: String) {
    guard !folder.isEmpty, !folder.utf8.contains(0), let resolved = realpath(folder, nil) else {
      return nil
    }
    defer { free(resolved) }
    path = String(cString: resolved)
  }

  /// Runs work under the lock that serves for making, checking and setting aside files.
  ///
  /// - Parameter timeout: How long to try to get the lock, in milliseconds.
  func locked<R>(
    timeout: Int32, _ work: () throws(StorageFailure) -> R
  ) throws(StorageFailure) -> R {
    let descriptor = open(
      path + "/" + Self.lockName, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("the lock file cannot be opened") }
    defer { close(descriptor) }
    let pause: Int32 = 5
    var waited: Int32 = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let isTaken = errno == EWOULDBLOCK || errno == EINTR
      guard isTaken, waited < timeout else {
        throw Self.failure("the lock file cannot be locked", kind: isTaken ? .busy : .unavailable)
      }
      usleep(UInt32(pause) * 1_000)
      waited += pause
    }
    return try work()
  }

  static func kind(_ path: String) -> Kind {
    var status = stat()
    guard lstat(path, &status) == 0 else { return .missing }
    return status.st_mode & S_IFMT == S_IFREG ? .file : .other
  }

  /// What lies at the path of the file now; `nil` when there is nothing.
  func identity() -> Identity? {
    var status = stat()
    guard lstat(file, &status) == 0 else { return nil }
    return Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      number: UInt64(truncatingIfNeeded: status.st_ino))
  }

  func fileSize() -> Int {
    var status = stat()
    return lstat(file, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Whether the files can be used by SQLite: each is a file or missing.
  var hasOnlyFiles: Bool {
    Self.kind(file) != .other
      && Self.companions.allSatisfy { Self.kind(file + $0) != .other }
  }

  /// Makes an empty file where there is none, and takes permissions of others from one that exists.
  func makeFile() throws(StorageFailure) {
    let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      // The mask of the process may have taken the owner's permissions too.
      fchmod(descriptor, 0o600)
      close(descriptor)
      return
    }
    guard errno == EEXIST else { throw Self.failure("the file of the store cannot be made") }
    for name in [file] + Self.companions.map({ file + $0 }) where Self.kind(name) == .file {
      // Refused for a file of another user; then opening it decides.
      chmod(name, 0o600)
    }
  }

  /// Renames the file and its companions, so that an empty store can take their place.
  ///
  /// - Returns: The name that the file has now.
  func setAside() throws(StorageFailure) -> String {
    let suffixes = ["-journal", "-wal", ""]
    // The index of the log is rebuilt from the log; a stale one beside other files does harm.
    if Self.kind(file + "-shm") == .file { unlink(file + "-shm") }
    let places = (1...Self.asideCount).map(aside)
    let free = places.filter { place in
      (suffixes + ["-shm"]).allSatisfy { Self.kind(place + $0) == .missing }
    }
    // Without a free place one that can be overwritten is taken; a folder there may prevent it.
    for place in free + places {
      let isMoved = (["-shm"] + suffixes).allSatisfy { suffix in
        Self.kind(file + suffix) == .missing || rename(file + suffix, place + suffix) == 0
      }
      if isMoved { return String(place.dropFirst(path.count + 1)) }
    }
    throw Self.failure("the damaged file cannot be renamed")
  }

  /// The names of the files that were set aside.
  var namesSetAside: [String] {
    (1...Self.asideCount).map(aside).filter { Self.kind($0) == .file }
      .map { String($0.dropFirst(path.count + 1)) }
  }

  /// The bytes of the file and its companions.
  func bytesOnDisk() -> Int {
    ([""] + Self.companions).reduce(0) { sum, suffix in
      var status = stat()
      return lstat(file + suffix, &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }

  /// Removes all files of the store, those set aside too, and the folder if nothing else is in it.
  ///
  /// Under the lock of ``locked(timeout:_:)``. The lock file goes last.
  func removeFiles() throws(StorageFailure) {
    let suffixes = ["-journal", "-wal", "-shm", ""]
    for name in [file] + (1...Self.asideCount).map(aside) {
      for suffix in suffixes where Self.kind(name + suffix) != .missing {
        guard unlink(name + suffix) == 0 else {
          throw Self.failure("the files of the store cannot be removed")
        }
      }
    }
    // What is left is empty or somebody else's.
    unlink(path + "/" + Self.lockName)
    rmdir(path)
  }

  private func aside(_ number: Int) -> String { file + ".set-aside-\(number)" }

  private static func failure(
    _ what: String, kind: StorageFailure.Kind = .unavailable
  ) -> StorageFailure {
    let code = errno
    return StorageFailure(kind: kind, message: "\(what): \(String(cString: strerror(code)))")
  }
}
