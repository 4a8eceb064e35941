// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleRemoteFlags
import AnoleStorage
import kameleoonClient

/// What is told about one store: nobody's code or token, unless it is asked for.
struct StoreSummary: Sendable {
  let entry: StateCatalogue.Entry
  let inspection: StorageInspection
  let client: StoredClientState?
  let remote: StoredRemoteFlags?
  let now: Timestamp
  let reveals: Bool

  init(
    _ entry: StateCatalogue.Entry, _ inspection: StorageInspection, now: Timestamp, reveals: Bool
  ) {
    self.entry = entry
    self.inspection = inspection
    self.now = now
    self.reveals = reveals
    client = StoredClientState(inspection)
    remote = StoredRemoteFlags(inspection)
  }

  /// The stored data file; nil if there is none, or if it cannot be read, which `verify` tells.
  private var content: DataFile? {
    client?.dataFile.flatMap { try? DataFile.read($0.bytes).dataFile }
  }

  // MARK: - Text

  /// The name, and a line for each kind of thing.
  var lines: [String] {
    var table = Table([.left, .left])
    for row in rows { table.add(["  \(row.0)", row.1]) }
    return [entry.name] + table.lines
  }

  private var rows: [(String, String)] {
    var rows = clientRows + remoteRows
    let outbox = inspection.outbox
    if outbox.count > 0 {
      let oldest = outbox.oldestAcceptedAt.map { ", the oldest \(age($0)) old" } ?? ""
      let verb = outbox.count == 1 ? "waits" : "wait"
      rows.append(
        (
          "events",
          "\(Wording.count(outbox.count, "item")) \(verb), \(Wording.bytes(outbox.bytes))\(oldest)"
        ))
    }
    for (reason, count) in outbox.dropped.sorted(by: { $0.key.name < $1.key.name }) {
      rows.append(("dropped", "\(Wording.count(count, "item")) (\(Printable.line(reason.name)))"))
    }
    for name in inspection.filesSetAside { rows.append(("set aside", "\(name), as damaged")) }
    if !inspection.isIntact { rows.append(("damage", "demo-cli cache verify tells")) }
    rows.append(("on disk", Wording.bytes(inspection.bytesOnDisk)))
    return rows
  }

  private var clientRows: [(String, String)] {
    guard let client else { return [] }
    var rows: [(String, String)] = []
    if let file = client.dataFile {
      let scope = [file.siteCode, file.environment, file.networkDomain].compactMap(\.self)
        .map { Printable.line($0) }.joined(separator: ", ")
      let fetched = Int64((file.fetchedAt.timeIntervalSince1970 * 1000).rounded())
      rows.append(
        ("data file", "\(scope): \(Wording.bytes(file.bytes.count)), fetched \(age(fetched)) ago"))
      if let content {
        let flags = Wording.count(content.featureFlags.count, "flag")
        rows.append(("", "\(flags), revision of \(TimeText.text(content.dateModified))"))
      }
      if let modified = file.lastModified {
        rows.append(("", "last modified \(Printable.line(modified))"))
      }
      if let tag = file.entityTag { rows.append(("", "entity tag \(Printable.line(tag))")) }
    } else if client.isDataFileUnreadable {
      rows.append(("data file", "cannot be read; the client starts without it"))
    }
    if client.visitorCount > 0 {
      rows.append(("visitors", Wording.count(client.visitorCount, "record")))
    }
    if reveals, let code = client.visitorCode {
      rows.append(("visitor code", Printable.line(code)))
    }
    return rows
  }

  private var remoteRows: [(String, String)] {
    guard let remote else { return [] }
    var rows = remote.answers.map { answer in
      (
        "remote flags",
        "\(Printable.line(answer.application)): \(Wording.count(answer.keys.count, "flag")), "
          + "asked for \(age(answer.requestedAt)) ago"
      )
    }
    if reveals, let user = remote.userID { rows.append(("user", Printable.line(user))) }
    if reveals, let device = remote.deviceID { rows.append(("device", Printable.line(device))) }
    return rows
  }

  private func age(_ time: Int64) -> String {
    Wording.span(milliseconds: now.milliseconds - time)
  }

  // MARK: - JSON

  var document: JSONValue {
    let outbox = inspection.outbox
    let dropped = outbox.dropped.sorted { $0.key.name < $1.key.name }
    return .members([
      ("path", .string(entry.path)), ("bytesOnDisk", .count(inspection.bytesOnDisk)),
      ("intact", .bool(inspection.isIntact)), ("dataFile", dataFile ?? .null),
      ("visitors", .count(client?.visitorCount ?? 0)),
      (
        "remoteFlags",
        .array(
          (remote?.answers ?? []).map { answer in
            [
              "application": .string(answer.application),
              "requestedAt": .number(.integer(answer.requestedAt)),
              "keys": .array(answer.keys.map { .string($0) }),
            ]
          })
      ),
      (
        "events",
        [
          "waiting": .count(outbox.count), "bytes": .count(outbox.bytes),
          "oldest": .id(outbox.oldestAcceptedAt),
          "dropped": .members(dropped.map { ($0.key.name, .count($0.value)) }),
        ]
      ),
      ("setAside", .array(inspection.filesSetAside.map { .string($0) })),
      ("visitorCode", reveals ? .text(client?.visitorCode) : nil),
      ("user", reveals ? .text(remote?.userID) : nil),
      ("device", reveals ? .text(remote?.deviceID) : nil),
    ])
  }

  private var dataFile: JSONValue? {
    client?.dataFile.map { file in
      [
        "site": .string(file.siteCode), "environment": .text(file.environment),
        "networkDomain": .text(file.networkDomain), "bytes": .count(file.bytes.count),
        "flags": content.map { .count($0.featureFlags.count) } ?? .null,
        "dateModified": .id(content?.dateModified.milliseconds),
        "fetchedAt": .number(
          .integer(Int64((file.fetchedAt.timeIntervalSince1970 * 1000).rounded()))),
        "lastModified": .text(file.lastModified), "entityTag": .text(file.entityTag),
      ]
    }
  }
}
