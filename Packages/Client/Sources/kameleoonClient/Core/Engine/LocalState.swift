// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleStorage

/// What a site's clients keep between two runs, and under which names.
///
/// | namespace | key | value |
/// | --- | --- | --- |
/// | `project` | `data-file` | the last good data file, see ``StoredDataFile`` |
/// | `project` | `visitor-code` | the visitor code in use, UTF-8 |
/// | `visitors` | visitor code | a record, see `VisitorRecord.encoded()` |
/// | `links` | mapping value | the anonymous visitor's code, UTF-8 |
///
/// A store belongs to one site code. Reading happens on the calling thread, writing by a
/// ``StateWriter``.
struct LocalState: Sendable {
  enum Namespace {
    static let project = "project"
    static let visitors = "visitors"
    static let links = "links"
  }

  enum Key {
    static let dataFile = "data-file"
    static let visitorCode = "visitor-code"
  }

  private let store: any LocalStore
  private let writer: StateWriter

  init(store: any LocalStore, writer: StateWriter) {
    self.store = store
    self.writer = writer
  }

  // MARK: Reading

  /// The stored data file; nil if there is none, `.some(nil)` if it cannot be read.
  func dataFile() -> StoredDataFile?? {
    store.recordNow(namespace: Namespace.project, key: Key.dataFile).map {
      StoredDataFile(decoding: $0.value)
    }
  }

  /// The visitor code that was in use last.
  func visitorCode() -> String? {
    store.recordNow(namespace: Namespace.project, key: Key.visitorCode).flatMap {
      String(validating: $0.value, as: UTF8.self)
    }
  }

  /// The anonymous visitor that a user is linked to.
  func link(of userCode: String) -> String? {
    store.recordNow(namespace: Namespace.links, key: userCode).flatMap {
      String(validating: $0.value, as: UTF8.self)
    }
  }

  /// The bytes of a visitor's record.
  func visitor(_ code: String) -> [UInt8]? {
    store.recordNow(namespace: Namespace.visitors, key: code)?.value
  }

  // MARK: Writing

  /// Keeps a data file in place of the former one.
  func write(_ file: StoredDataFile) {
    writer.write([
      .write(namespace: Namespace.project, key: Key.dataFile, value: file.encoded)
    ])
  }

  /// Keeps a visitor code in place of the former one.
  func write(visitorCode: String) {
    writer.write([
      .write(
        namespace: Namespace.project, key: Key.visitorCode, value: Array(visitorCode.utf8))
    ])
  }

  /// Keeps the link of a user to an anonymous visitor.
  func write(linkOf userCode: String, to visitorCode: String) {
    writer.write([
      .write(namespace: Namespace.links, key: userCode, value: Array(visitorCode.utf8)),
      .remove(namespace: Namespace.visitors, key: userCode),
    ])
  }

  /// Writes changes that come from elsewhere.
  func write(_ changes: [RecordChange]) { writer.write(changes) }

  /// The change that keeps a visitor's record.
  static func change(_ code: String, _ record: VisitorRecord) -> RecordChange {
    .write(namespace: Namespace.visitors, key: code, value: record.encoded())
  }
}
