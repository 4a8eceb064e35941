// SPDX-License-Identifier: Apache-2.0

/// Finds the Swift files of a folder, in the order of their names.
///
/// Hidden files and folders are left out, and links are not followed.
struct SourceWalk: Sendable {
  /// Longer files hold data, not code that somebody wrote.
  static let sizeLimit = 4 << 20
  private static let depthLimit = 64

  /// Names of folders that are left out.
  let excluded: Set<String>
  /// The paths, as they are to be read and shown.
  private(set) var files: [String] = []
  /// Sentences about what was left out.
  private(set) var remarks: [String] = []

  /// Walks through a folder.
  init(
    _ folder: String, excluding excluded: [String], in environment: Environment
  ) throws(Failure) {
    self.excluded = Set(excluded)
    var root = folder
    while root.count > 1, root.hasSuffix("/") { root.removeLast() }
    try walk(root, depth: 0, in: environment)
  }

  private mutating func walk(
    _ folder: String, depth: Int, in environment: Environment
  ) throws(Failure) {
    guard !Task.isCancelled else { throw .interrupted }
    guard depth < Self.depthLimit else {
      remarks.append("\(Printable.line(folder)): lies too deep and is left out")
      return
    }
    for entry in try environment.list(folder) where !entry.name.hasPrefix(".") {
      let path =
        folder == "."
        ? entry.name
        : folder == "/"
          ? "/" + entry.name
          : "\(folder)/\(entry.name)"
      switch entry.kind {
      case .folder where !excluded.contains(entry.name):
        try walk(path, depth: depth + 1, in: environment)
      case .file(let size) where entry.name.hasSuffix(".swift"):
        if size <= Self.sizeLimit {
          files.append(path)
        } else {
          remarks.append(
            "\(Printable.line(path)): is larger than \(Self.sizeLimit >> 20) MiB and is left out")
        }
      default: break
      }
    }
  }
}
