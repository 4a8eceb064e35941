// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

extension ControlEndpoint {
  /// The flags of a data file, and which files there are.
  @Sendable
  static func readFlags(
    _ arguments: ControlArguments, _ core: Core
  ) async throws(ControlError) -> JSONValue {
    try arguments.allow("siteCode", "environment")
    let place = try Place(arguments)
    let (keys, revision, remote) = core.change { platform in
      (platform.dataFiles.keys, platform.configurationRevision, platform.remoteFlags.summary)
    }
    var document: [JSONValue.Member] = [
      .init(key: "revision", value: .number(.integer(Int64(revision)))),
      .init(key: "files", value: .array(keys.map(\.json))),
      .init(key: "remoteFlags", value: remote),
    ]
    guard !keys.isEmpty else { return .object(document) }
    // Without arguments the general file, or the only one, or the first.
    let isAnywhere = place.siteCode == nil && place.environment == nil
    let compiled: CompiledFile
    do throws(ControlError) {
      compiled = try core.compiledFile(place)
    } catch {
      guard error.status == 404, isAnywhere, let first = keys.first else { throw error }
      compiled = try core.compiledFile(
        Place(siteCode: first.siteCode, environment: first.environment))
    }
    document.append(.init(key: "file", value: compiled.key.json))
    document.append(
      .init(key: "lastModified", value: compiled.file.lastModified.map(JSONValue.string) ?? .null))
    document.append(.init(key: "bytes", value: .number(.integer(Int64(compiled.file.body.count)))))
    switch compiled.snapshot {
    case .failure(let error): document.append(.init(key: "error", value: .string("\(error).")))
    case .success(let served):
      document += FlagList.document(of: served.snapshot.dataFile).objectValue ?? []
      document.append(
        .init(
          key: "diagnostics", value: .array(served.diagnostics.map { .string("\($0)") })))
    }
    return .object(document)
  }

  /// Changes one value of a flag.
  @Sendable
  static func changeFlag(
    _ arguments: ControlArguments, _ core: Core
  ) async throws(ControlError) -> JSONValue {
    try arguments.allow(
      "siteCode", "environment", "flag", "enabled", "rule", "exposition", "split")
    let place = try Place(arguments)
    let key = try arguments.requiredText("flag")
    let change = try flagChange(arguments)
    do throws(FlagEditError) {
      let edit = try core.change(
        change, ofFlag: key, siteCode: place.siteCode, environment: place.environment)
      return [
        "revision": .number(.integer(Int64(edit.revision))),
        "streams": .number(.integer(Int64(edit.streams))),
        "lastModified": edit.lastModified.map(JSONValue.string) ?? .null,
      ]
    } catch {
      throw ControlError(error)
    }
  }

  private static func flagChange(
    _ arguments: ControlArguments
  ) throws(ControlError) -> FlagChange {
    let given = ["enabled", "exposition", "split"].filter { arguments[$0] != nil }
    guard given.count == 1 else {
      throw ControlError(400, "Give one of enabled, exposition and split.")
    }
    if let isEnabled = try arguments.bool("enabled") { return .enabled(isEnabled) }
    guard let rule = try arguments.integer("rule", in: Int64.min...Int64.max) else {
      throw ControlError(400, "rule is missing: give the id of the rule.")
    }
    if let share = try arguments.number("exposition") {
      return .exposition(share, rule: Int64(rule))
    }
    return .split(try arguments.numbers("split") ?? [], rule: Int64(rule))
  }

  /// Kills a remote flag or switches it on or off.
  @Sendable
  static func changeRemoteFlag(
    _ arguments: ControlArguments, _ core: Core
  ) async throws(ControlError) -> JSONValue {
    try arguments.allow("key", "killed", "enabled", "application")
    let key = try arguments.requiredText("key")
    let application = try arguments.text("application")
    let given = ["killed", "enabled"].filter { arguments[$0] != nil }
    guard given.count == 1, let member = given.first, let value = try arguments.bool(member) else {
      throw ControlError(400, "Give one of killed and enabled.")
    }
    do throws(FlagEditError) {
      try core.changeRemoteFlag(key, member, value, application: application)
    } catch {
      throw ControlError(error)
    }
    return ["revision": .number(.integer(Int64(core.change { $0.configurationRevision })))]
  }

  static func readRemoteFlags(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow()
    return ["applications": platform.remoteFlags.summary]
  }
}

extension ControlError {
  fileprivate init(_ error: FlagEditError) {
    let status = [.noFile, .notFound].contains(error.code) ? 404 : 400
    self.init(status, "\(error.message.prefix(1).uppercased())\(error.message.dropFirst()).")
  }
}

extension DataFileShelf.Key {
  fileprivate var json: JSONValue {
    [
      "siteCode": siteCode.map(JSONValue.string) ?? .null,
      "environment": environment.map(JSONValue.string) ?? .null,
    ]
  }
}

extension RemoteFlagDesk {
  /// The rules of all applications, as they were set.
  fileprivate var summary: JSONValue {
    .array(
      applications.map { application in
        [
          "application": application.map(JSONValue.string) ?? .null,
          "rules": rules(of: application)?.source ?? .null,
        ]
      })
  }
}
