// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking
import AnoleTargeting

/// Chooses and compiles the data file that an engine starts with.
///
/// It reads the disk on the calling thread. Nothing that lies there stops a start: what cannot be
/// used is told in one line of the log, and counts as missing.
struct StartLoader {
  /// The file to start with, compiled, and the server's texts about it.
  struct Start {
    let project: ProjectSnapshot
    let validators: CacheValidators?
  }

  let local: LocalState
  let scope: StoredDataFile.Scope
  let defaultDataFile: String?
  let sdk: SDKIdentity

  /// The file to start with; nil if there is none.
  ///
  /// One file is compiled, also where there are two: of the default file, only its date is read then.
  func load() -> Start? {
    guard let stored = readStored() else { return readDefault() }
    let choice = StartFile.choose(
      stored: stored.reading.dataFile.dateModified, givenDefault: dateOfDefault())
    if choice == .givenDefault, let start = readDefault() { return start }
    return Start(
      project: ProjectSnapshot(
        stored.reading, origin: .stored, fetchedAt: stored.file.fetchedAt, sdk: sdk),
      validators: stored.file.validators)
  }

  private func readStored() -> (file: StoredDataFile, reading: DataFile.Reading)? {
    guard let stored = local.dataFile() else { return nil }
    guard let file = stored else {
      KameleoonLogger.write(
        .warning, "the stored data file is damaged; the next successful fetch replaces it")
      return nil
    }
    guard file.scope == scope else { return nil }
    do {
      return (file, try DataFile.read(file.bytes))
    } catch {
      KameleoonLogger.write(
        .warning, "the stored data file cannot be read (\(error)); the next fetch replaces it")
      return nil
    }
  }

  private func readDefault() -> Start? {
    guard let reading = ofDefault({ try DataFile.read($0) }) else { return nil }
    // Without the server's texts, so that the first fetch brings the newest file in any case.
    return Start(
      project: ProjectSnapshot(reading, origin: .givenDefault, fetchedAt: nil, sdk: sdk),
      validators: nil)
  }

  private func dateOfDefault() -> Timestamp? { ofDefault { try DataFile.dateModified(of: $0) } }

  private func ofDefault<Result>(_ read: ([UInt8]) throws -> Result) -> Result? {
    guard let defaultDataFile, !defaultDataFile.isEmpty else { return nil }
    do {
      return try read(Array(defaultDataFile.utf8))
    } catch {
      KameleoonLogger.write(.error, "defaultDataFile is not used: \(error)")
      return nil
    }
  }
}
