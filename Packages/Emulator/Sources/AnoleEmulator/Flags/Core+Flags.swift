// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking

extension Core {
  /// What became of a change.
  struct FlagEdit: Sendable {
    /// How many streams were told; 0 too if nothing changed.
    let streams: Int
    /// The state of configuration afterwards.
    let revision: Int
    let lastModified: String?
  }

  /// Changes a flag of a data file; the work on the text is done outside the lock.
  func change(
    _ change: FlagChange, ofFlag key: String, siteCode: String?, environment: String?
  ) throws(FlagEditError) -> FlagEdit {
    while true {
      let (shelved, revision) = self.change { platform in
        (
          platform.dataFiles.shelved(siteCode: siteCode, environment: environment),
          platform.configurationRevision
        )
      }
      guard let (place, file) = shelved else {
        throw FlagEditError(
          .noFile, "no data file is set for this site code and environment: set one first")
      }
      let now = Timestamp(milliseconds: wallClock.milliseconds)
      let body = try DataFileEditor.apply(change, toFlag: key, in: file.body, now: now)
      if body == file.body {
        return FlagEdit(streams: 0, revision: revision, lastModified: file.lastModified)
      }
      let edited = file.edited(body, revision: revision, now: now)
      let edit = self.change { platform -> FlagEdit? in
        // Somebody else may have set a file meanwhile: then all is done again with that.
        guard platform.configurationRevision == revision else { return nil }
        platform.dataFiles.set(edited, at: place)
        return FlagEdit(
          streams: platform.pushConfigurationUpdate(now, siteCode: place.siteCode),
          revision: platform.configurationRevision, lastModified: edited.lastModified)
      }
      if let edit { return edit }
    }
  }

  /// Changes a Boolean member of a remote flag.
  func changeRemoteFlag(
    _ key: String, _ member: String, _ value: Bool, application: String?
  ) throws(FlagEditError) {
    let outcome = change { platform in
      Result { () throws(FlagEditError) in
        guard let rules = platform.remoteFlags.rules(of: application) else {
          throw FlagEditError(
            .noFile, "no remote flags are set for this application: set some first")
        }
        platform.remoteFlags.set(
          try rules.setting(member, to: value, ofFlag: key), application: application)
      }
    }
    try outcome.get()
  }
}

extension Platform {
  /// Counts the changes of data files and remote flags.
  var configurationRevision: Int { dataFiles.revision + remoteFlags.revision }

  /// Tells the streams of a site that there is a new data file; returns how many.
  mutating func pushConfigurationUpdate(_ now: Timestamp, siteCode: String?) -> Int {
    push(
      StreamText.event(
        name: "configuration-update-event", data: #"{"ts": \#(skewed(now).milliseconds)}"#),
      siteCode: siteCode)
  }
}

extension ServedDataFile {
  /// The file with another body, newer to every client.
  func edited(_ body: [UInt8], revision: Int, now: Timestamp) -> ServedDataFile {
    // The texts are compared as they are, to the second: a second change within one must differ.
    let before = lastModified.flatMap { HTTPDate.seconds($0) } ?? 0
    let seconds = max(now.milliseconds / 1_000, before + 1)
    return ServedDataFile(
      body: body, lastModified: HTTPDate.text(seconds: seconds),
      entityTag: entityTag.map { _ in "\"\(now.milliseconds)-\(revision)\"" })
  }
}
