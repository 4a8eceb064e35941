// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Which data file a control request is about.
struct Place: Sendable {
  let siteCode: String?
  let environment: String?

  init(siteCode: String?, environment: String?) {
    self.siteCode = siteCode
    self.environment = environment
  }

  init(_ arguments: ControlArguments) throws(ControlError) {
    siteCode = try arguments.text("siteCode")
    environment = try arguments.text("environment")
  }
}

/// A data file and its compiled form, or why it has none.
struct CompiledFile: Sendable {
  let key: DataFileShelf.Key
  let file: ServedDataFile
  let snapshot: Result<ServedSnapshot, DataFileError>
}

extension Core {
  /// The file of a place, compiled: outside the lock, once a file.
  func compiledFile(_ place: Place) throws(ControlError) -> CompiledFile {
    let (shelved, known, revision) = change { platform in
      let shelved = platform.dataFiles.shelved(
        siteCode: place.siteCode, environment: place.environment)
      return (
        shelved, shelved.flatMap { platform.dataFiles.compiled($0.key) },
        platform.dataFiles.revision
      )
    }
    guard let (key, file) = shelved else {
      throw ControlError(
        404, "No data file is set for this site code and environment: set one first.")
    }
    if let known { return CompiledFile(key: key, file: file, snapshot: known) }
    let snapshot = Result { () throws(DataFileError) in try ServedSnapshot(file.body) }
    change { platform in
      guard platform.dataFiles.revision == revision else { return }
      platform.dataFiles.keep(snapshot, at: key)
    }
    return CompiledFile(key: key, file: file, snapshot: snapshot)
  }

  /// The file of a place, ready for deciding.
  func snapshot(_ place: Place) throws(ControlError) -> ServedSnapshot {
    switch try compiledFile(place).snapshot {
    case .success(let snapshot): return snapshot
    case .failure(let error): throw ControlError(400, "The data file cannot be used: \(error).")
    }
  }
}
