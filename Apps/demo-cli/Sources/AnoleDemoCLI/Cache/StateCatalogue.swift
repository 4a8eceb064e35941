// SPDX-License-Identifier: Apache-2.0

import AnoleRemoteFlags
import AnoleStorage
import kameleoonClient

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The stores below a folder, each looked into without changing it.
struct StateCatalogue: Sendable {
  /// A store, or why it cannot be looked into.
  struct Entry: Sendable {
    /// The path below the folder; empty for the folder itself.
    let path: String
    /// The whole path.
    let folder: String
    let result: Result<StorageInspection, StorageInspectionError>
  }

  /// The folder.
  let folder: String
  /// The stores, sorted by path.
  let entries: [Entry]

  /// Sites and applications lie two folders down at most.
  private static let depth = 3
  /// As the package Storage names it.
  private static let fileName = "anole.sqlite"

  /// Looks for stores; a folder that is missing has none.
  ///
  /// - Throws: a sentence if the path is no folder, or cannot be read.
  init(_ folder: String) throws(Failure) {
    var folder = folder
    while folder.count > 1, folder.last == "/" { folder.removeLast() }
    self.folder = folder
    var isFolder = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
      entries = []
      return
    }
    guard isFolder else {
      throw Failure("\(Printable.line(folder)): is no folder; name the one where state is kept")
    }
    entries = try Self.paths(folder, "", depth: Self.depth).map { path in
      let whole = path.isEmpty ? folder : "\(folder)/\(path)"
      do throws(StorageInspectionError) {
        let namespaces = StoredClientState.namespaces.union(StoredRemoteFlags.namespaces)
        let inspection = try StorageInspection(folder: whole, reading: namespaces)
        return Entry(path: path, folder: whole, result: .success(inspection))
      } catch {
        return Entry(path: path, folder: whole, result: .failure(error))
      }
    }
  }

  private static func paths(
    _ root: String, _ path: String, depth: Int
  ) throws(Failure) -> [String] {
    let whole = path.isEmpty ? root : "\(root)/\(path)"
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: whole).sorted()
    } catch {
      throw Failure("\(Printable.line(whole)): cannot be read; change its mode or run as its owner")
    }
    var found = names.contains(fileName) ? [path] : []
    guard depth > 0 else { return found }
    for name in names where isFolder("\(whole)/\(name)") {
      found += try paths(root, path.isEmpty ? name : "\(path)/\(name)", depth: depth - 1)
    }
    return found
  }

  /// A link to a folder counts as none: it may lead anywhere.
  private static func isFolder(_ path: String) -> Bool {
    // What vanishes meanwhile is no folder.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }
}

extension StateCatalogue.Entry {
  /// How the store is called: its path below the folder.
  var name: String { path.isEmpty ? "." : Printable.line(path) }

  /// What lies in it; nil if it cannot be read.
  var inspection: StorageInspection? {
    if case .success(let inspection) = result { inspection } else { nil }
  }
}
