// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file or folder in a folder.
struct FolderEntry: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case file(size: Int)
    case folder
    /// A link, whatever it leads to.
    case link
    /// A device, a pipe and the like.
    case other
  }

  let name: String
  let kind: Kind

  /// The entries of a folder, in the order of the bytes of their names.
  ///
  /// Names that are no UTF-8 cannot be told apart by all systems, and are left out.
  ///
  /// - Throws: a sentence if the folder cannot be read.
  static func list(_ path: String) throws(Failure) -> [FolderEntry] {
    let name = Printable.line(path)
    guard let folder = opendir(path) else { throw failure(name, errno) }
    defer { closedir(folder) }
    var entries: [FolderEntry] = []
    while let entry = next(folder) {
      if entry == "." || entry == ".." { continue }
      guard let kind = kind(path + "/" + entry) else { continue }
      entries.append(FolderEntry(name: entry, kind: kind))
    }
    return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private static func next(_ folder: OpaquePointer) -> String? {
    while let entry = readdir(folder) {
      let bytes = withUnsafeBytes(of: entry.pointee.d_name) { $0.prefix { $0 != 0 }.map { $0 } }
      if let name = String(validating: bytes, as: UTF8.self) { return name }
    }
    return nil
  }

  /// What stands at a path; nil if it has gone meanwhile.
  private static func kind(_ path: String) -> Kind? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file(size: Int(status.st_size))
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .other
    }
  }

  private static func failure(_ name: String, _ cause: Int32) -> Failure {
    switch cause {
    case ENOENT: Failure("\(name): there is no such folder; check the path")
    case ENOTDIR: Failure("\(name): is no folder; name the one it is in")
    case EACCES, EPERM: Failure("\(name): no permission to read it; run as its owner")
    default: Failure("\(name): cannot be read (\(SystemError.text(cause))); check the path")
    }
  }
}
