// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleRemoteFlags
import AnoleStorage
import kameleoonClient

/// Something wrong with a store.
struct StoreFinding: Sendable, Hashable {
  /// The kind, for programs.
  enum Kind: String, Sendable {
    case unreadable = "unreadable"
    case database = "database"
    case records = "records"
    case events = "events"
    case dataFile = "data-file"
    case remoteFlags = "remote-flags"
  }

  let store: String
  let kind: Kind
  let message: String

  var line: String { "\(store): \(message) [\(kind.rawValue)]" }

  var document: JSONValue {
    ["store": .string(store), "kind": .string(kind.rawValue), "message": .string(message)]
  }

  /// All that is wrong with a store: its file, its rows, what a client would read from it.
  static func findings(in entry: StateCatalogue.Entry) -> [StoreFinding] {
    func finding(_ kind: Kind, _ message: String) -> StoreFinding {
      StoreFinding(store: entry.name, kind: kind, message: message)
    }
    let inspection: StorageInspection
    switch entry.result {
    case .failure(let error):
      return [finding(.unreadable, "cannot be read: \(Printable.line(error.message))")]
    case .success(let read): inspection = read
    }
    var findings = inspection.faults.map { finding(.database, Printable.line($0)) }
    for space in inspection.spaces where space.damagedCount > 0 {
      findings.append(
        finding(
          .records,
          "\(altered(space.damagedCount, "record")) in \(Printable.quote(space.name)); "
            + "a client drops what it finds so"))
    }
    if inspection.damagedItems > 0 {
      let items = altered(inspection.damagedItems, "waiting event")
      findings.append(finding(.events, "\(items); a client drops what it finds so"))
    }
    findings += content(of: inspection).map { finding($0, $1) }
    return findings
  }

  private static func altered(_ count: Int, _ noun: String) -> String {
    "\(Wording.count(count, noun)) \(count == 1 ? "is" : "are") not as written"
  }

  private static func content(of inspection: StorageInspection) -> [(Kind, String)] {
    var findings: [(Kind, String)] = []
    let client = StoredClientState(inspection)
    if client?.isDataFileUnreadable == true {
      findings.append(
        (.dataFile, "the stored data file is not whole; the client starts without it"))
    }
    if let file = client?.dataFile {
      do throws(Failure) {
        _ = try DataSource.read(file.bytes, name: "the stored data file")
      } catch {
        findings.append((.dataFile, error.description))
      }
    }
    if let remote = StoredRemoteFlags(inspection), remote.unreadableAnswers > 0 {
      let answers = Wording.count(remote.unreadableAnswers, "stored answer")
      findings.append((.remoteFlags, "\(answers) cannot be read; the server will be asked"))
    }
    return findings
  }
}
