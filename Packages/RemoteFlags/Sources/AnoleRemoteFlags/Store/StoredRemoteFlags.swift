// SPDX-License-Identifier: Apache-2.0

public import AnoleStorage

/// What a client of remote flags keeps in its store between two runs, for tools that show it.
public struct StoredRemoteFlags: Sendable, Hashable {
  /// The last complete answer of a server for an application.
  public struct Answer: Sendable, Hashable {
    /// The application code.
    public let application: String
    /// Whose flags they are.
    public let user: String
    /// When they were asked for: milliseconds since the epoch.
    public let requestedAt: Int64
    /// The keys of the flags.
    public let keys: [String]
  }

  /// The namespaces that `StorageInspection` has to read.
  public static let namespaces: Set<String> = [StoreRecords.names, StoreRecords.sets]

  /// The device's id; nil if there is none yet.
  public let deviceID: String?
  /// The User ID; nil if none was set.
  public let userID: String?
  /// The answers, in the order of their application codes.
  public let answers: [Answer]
  /// How many answers cannot be read; a client counts those as none.
  public let unreadableAnswers: Int

  /// Reads what was found in a store; nil if no client of remote flags has used it.
  public init?(_ inspection: StorageInspection) {
    let names = inspection.entries(of: StoreRecords.names)
    let sets = inspection.entries(of: StoreRecords.sets)
    guard !names.isEmpty || !sets.isEmpty else { return nil }
    deviceID = StoreRecords.device(in: names.first { $0.key == "device" }?.record)
    userID = StoreRecords.user(in: names.first { $0.key == "user" }?.record)
    answers = sets.compactMap { StoreRecords.answer(in: $0.record) }
    unreadableAnswers = sets.count - answers.count
  }
}
