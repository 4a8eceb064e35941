// SPDX-License-Identifier: Apache-2.0

import AnoleStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The folder where state is kept.
enum StateFolderChecks {
  private static let smallSpace = 64 << 20

  /// Whether state can be kept.
  static func all(_ given: String?, in environment: Environment) -> [Check] {
    let next = "set HOME or XDG_STATE_HOME, or name a folder with --store FOLDER"
    guard let folder = given ?? StateFolder.standard(environment.variable).map({ "\($0)/anole" })
    else {
      return [
        .problem("state", "no home folder is known; state is lost with the process", next: next)
      ]
    }
    let existing = nearest(folder)
    var status = stat()
    guard stat(existing, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      return [.problem("state", "\(existing) is no folder", next: next)]
    }
    if let cause = writeFailure(existing) {
      return [
        .problem(
          "state", "\(existing) cannot be written (\(SystemError.text(cause)))",
          next: "give the user write permission, or name a folder with --store FOLDER")
      ]
    }
    return [permissions(folder, existing, status), space(existing)].compactMap(\.self)
      + stores(folder)
  }

  /// Whether a folder has anything in it.
  static func hasFiles(_ folder: String) -> Bool {
    guard let handle = opendir(folder) else { return false }
    defer { closedir(handle) }
    // The folder itself and the one above are always there.
    return (0..<3).allSatisfy { _ in readdir(handle) != nil }
  }

  /// The folder, or the nearest one above that exists.
  private static func nearest(_ folder: String) -> String {
    var path = folder
    var status = stat()
    while lstat(path, &status) != 0 {
      guard let slash = path.lastIndex(of: "/") else { return "." }
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
    return path
  }

  /// Why nothing can be made in a folder; nil if something can.
  ///
  /// Nothing is left there.
  private static func writeFailure(_ folder: String) -> Int32? {
    var template = Array("\(folder)/.anole-doctor-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return errno }
    rmdir(template)
    return nil
  }

  private static func permissions(_ folder: String, _ existing: String, _ status: stat) -> Check {
    guard existing == folder else {
      return .ok("state", "\(folder) will be made when it is needed")
    }
    guard status.st_mode & 0o077 == 0 else {
      return .warning(
        "state", "others may look into \(folder), whose stores are for the owner alone",
        next: "chmod 700 the folder")
    }
    return .ok("state", "\(folder), for its owner alone")
  }

  private static func space(_ folder: String) -> Check? {
    var system = statvfs()
    guard statvfs(folder, &system) == 0 else { return nil }
    let free = Int(clamping: UInt64(system.f_bavail) &* UInt64(system.f_frsize))
    let text = "\(Wording.bytes(free)) free"
    guard free >= smallSpace else {
      return .warning(
        "disk", text, next: "free some space; without it events are held in memory")
    }
    return .ok("disk", text)
  }

  /// Whether the stores that are there are whole.
  private static func stores(_ folder: String) -> [Check] {
    do throws(Failure) {
      let catalogue = try StateCatalogue(folder)
      guard !catalogue.entries.isEmpty else { return [] }
      let count = Wording.count(catalogue.entries.count, "store")
      let damaged = catalogue.entries.count { $0.inspection?.isIntact != true }
      guard damaged > 0 else { return [.ok("stores", "\(count), whole")] }
      return [
        .problem(
          "stores", "\(damaged) of \(count) damaged", next: "demo-cli cache verify tells what")
      ]
    } catch {
      return [.warning("stores", error.description, next: "demo-cli cache show tells more")]
    }
  }
}
