// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking
public import AnoleStorage
public import Foundation

/// What a client keeps in its store between two runs, for tools that show it; an extension.
public struct StoredClientState: Sendable, Hashable {
  /// The data file that the next start begins with.
  public struct DataFile: Sendable, Hashable {
    /// The site code that it was fetched for.
    public let siteCode: String
    /// The environment that it was fetched for; nil for the platform's default.
    public let environment: String?
    /// The network domain that it was fetched through; nil for the platform's hosts.
    public let networkDomain: String?
    /// The server's text about the time of the last change; nil if it told none.
    public let lastModified: String?
    /// The server's tag of this copy; nil if it told none.
    public let entityTag: String?
    /// When it was fetched.
    public let fetchedAt: Date
    /// The file, as the server sent it.
    public let bytes: [UInt8]
  }

  /// The namespaces that `StorageInspection` has to read.
  public static let namespaces: Set<String> = [LocalState.Namespace.project]

  /// The data file; nil if none is kept, or if it cannot be read.
  public let dataFile: DataFile?
  /// Whether a data file is kept that cannot be read; a client starts without it then.
  public let isDataFileUnreadable: Bool
  /// The code of the visitor in use; nil if none is known yet.
  public let visitorCode: String?
  /// How many visitors' records are kept.
  public let visitorCount: Int

  /// Reads what was found in a store; nil if no client has used it.
  public init?(_ inspection: StorageInspection) {
    let entries = inspection.entries(of: LocalState.Namespace.project)
    let visitors = inspection.spaces.first { $0.name == LocalState.Namespace.visitors }
    guard !entries.isEmpty || visitors != nil else { return nil }
    let kept = entries.first { $0.key == LocalState.Key.dataFile }?.record.value
    dataFile = kept.flatMap { StoredDataFile(decoding: $0) }.map(DataFile.init)
    isDataFileUnreadable = kept != nil && dataFile == nil
    visitorCode = entries.first { $0.key == LocalState.Key.visitorCode }.flatMap {
      String(validating: $0.record.value, as: UTF8.self)
    }
    visitorCount = visitors?.count ?? 0
  }
}

extension StoredClientState.DataFile {
  fileprivate init(_ file: StoredDataFile) {
    self.init(
      siteCode: file.scope.siteCode, environment: file.scope.environment,
      networkDomain: file.scope.networkDomain, lastModified: file.validators.lastModified,
      entityTag: file.validators.entityTag, fetchedAt: Date(file.fetchedAt),
      bytes: Array(file.bytes))
  }
}
