// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleStorage

/// What a client keeps, record by record; each is a JSON text with its schema.
///
/// | namespace | key | content |
/// | --- | --- | --- |
/// | `remote-flags` | `device` | the device's id |
/// | `remote-flags` | `user` | the User ID, once one was set |
/// | `remote-flags/sets` | application code | the last complete answer (specification, section 2.5) |
/// | `remote-flags/addresses` | application code | the base URL that the server told |
enum StoreRecords {
  static let schema: Int64 = 1
  static let names = "remote-flags"
  static let sets = "remote-flags/sets"
  static let addresses = "remote-flags/addresses"

  /// How far a stored time may lie in the future (RF-29).
  static let toleratedFuture: Int64 = 60_000

  // MARK: Sets

  static func set(_ set: FlagPlan.StorableFlags) -> RecordChange {
    .write(
      namespace: sets, key: set.application,
      value: text([
        ("application", .string(set.application)),
        ("user_id", .string(set.user)),
        ("requested_at", .number(.double(Double(set.requestedAt) / 1_000))),
        ("flags", .array(set.flags.contents.map { FlagEntryForm.json($0.entry) })),
      ]))
  }

  /// The stored set of an application and user, if it is still good.
  ///
  /// - Parameters:
  ///   - record: What the store has; anything else than a set counts as nothing.
  ///   - now: The moment at which its age is taken.
  static func flags(
    in record: Record?, application: ExactText, user: ExactText, _ now: FlagPlan.Now
  ) -> DatedFlags? {
    guard let root = document(record),
      root["application"]?.stringValue.map(ExactText.init) == application,
      root["user_id"]?.stringValue.map(ExactText.init) == user,
      let seconds = root["requested_at"]?.doubleValue, abs(seconds) < 1e12,
      let elements = root["flags"]?.arrayValue
    else { return nil }
    let requestedAt = Int64((seconds * 1_000).rounded())
    let age = now.wall - requestedAt
    guard age >= -toleratedFuture, .milliseconds(age) < DatedFlags.lifetime else { return nil }
    let moment = now.moment - .milliseconds(max(0, age))
    let source = FlagSource(
      origin: .stored(since: requestedAt), requestedAt: requestedAt, moment: moment)
    return DatedFlags(
      flags: FlagSet(elements.compactMap(FlagEntryForm.entry), source: source), moment: moment)
  }

  /// Whose answer a record is, of when, and with which keys; nil for anything else than a set.
  static func answer(in record: Record) -> StoredRemoteFlags.Answer? {
    guard let root = document(record), let application = root["application"]?.stringValue,
      let user = root["user_id"]?.stringValue, let seconds = root["requested_at"]?.doubleValue,
      abs(seconds) < 1e12, let elements = root["flags"]?.arrayValue
    else { return nil }
    return StoredRemoteFlags.Answer(
      application: application, user: user, requestedAt: Int64((seconds * 1_000).rounded()),
      keys: elements.compactMap { FlagEntryForm.entry($0)?.key })
  }

  // MARK: Names

  static func user(_ user: String) -> RecordChange {
    .write(namespace: names, key: "user", value: text([("user_id", .string(user))]))
  }

  /// Stores another user and removes all sets, which are of the former one.
  static func changeUser(to user: String, in store: any RemoteFlagsStore) {
    let keys = store.keys(namespace: sets)
    store.apply([self.user(user)] + keys.map { .remove(namespace: sets, key: $0) })
  }

  static func user(in record: Record?) -> String? {
    nonEmpty(document(record)?["user_id"])
  }

  static func device(_ device: String) -> RecordChange {
    .write(namespace: names, key: "device", value: text([("hwid", .string(device))]))
  }

  static func device(in record: Record?) -> String? {
    nonEmpty(document(record)?["hwid"])
  }

  // MARK: Addresses

  /// - Parameters:
  ///   - address: The base URL that the server told.
  ///   - configured: The one in whose place it is used; with another configuration it does not count.
  static func address(_ address: String, for application: String, configured: String)
    -> RecordChange
  {
    .write(
      namespace: addresses, key: application,
      value: text([("configured", .string(configured)), ("base_url", .string(address))]))
  }

  static func address(in record: Record?, configured: String) -> String? {
    guard let root = document(record),
      let stored = root["configured"]?.stringValue, stored.hasSameBytes(as: configured)
    else { return nil }
    return root["base_url"]?.stringValue.flatMap(ServerAddress.base)
  }

  // MARK: Form

  private static func text(_ members: [(String, JSONValue)]) -> [UInt8] {
    let schema = JSONValue.Member(key: "schema", value: .number(.integer(schema)))
    let members = members.map { JSONValue.Member(key: $0.0, value: $0.1) }
    return Array(JSONValue.object([schema] + members).text().utf8)
  }

  /// A record's content; nil for whatever this version has not written.
  private static func document(_ record: Record?) -> JSONValue? {
    guard let record else { return nil }
    // A record that is no JSON counts as none (RF-28).
    guard let root = try? JSONLayers.value(of: record.value), root["schema"]?.integerValue == schema
    else { return nil }
    return root
  }

  private static func nonEmpty(_ value: JSONValue?) -> String? {
    guard let text = value?.stringValue, !text.isEmpty else { return nil }
    return text
  }
}
