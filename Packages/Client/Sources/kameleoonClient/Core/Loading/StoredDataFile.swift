// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking

/// A fetched data file as it is kept for the next start: one line of JSON about it, then its bytes as
/// the server sent them.
struct StoredDataFile: Sendable, Hashable {
  /// For which configuration the file was fetched; it serves no other.
  struct Scope: Sendable, Hashable {
    /// The site code.
    let siteCode: String
    /// The environment; nil for the platform's default.
    let environment: String?
    /// The network domain in force; nil for the platform's hosts.
    let networkDomain: String?
  }

  /// For which configuration the file was fetched.
  let scope: Scope
  /// The server's texts about this copy.
  let validators: CacheValidators
  /// When it was fetched.
  let fetchedAt: Timestamp
  /// The file; where it comes from a record, a part of that, not a copy.
  let bytes: ArraySlice<UInt8>

  private static let schema: Int64 = 1
  private static let lineFeed = UInt8(ascii: "\n")
  /// A head is some hundred bytes; a longer one is not ours.
  private static let longestHead = 64 << 10

  /// The stored form.
  var encoded: [UInt8] {
    var members: [JSONValue.Member] = []
    func add(_ key: String, _ value: JSONValue?) {
      if let value { members.append(JSONValue.Member(key: key, value: value)) }
    }
    add("schema", .number(.integer(Self.schema)))
    add("siteCode", .string(scope.siteCode))
    add("environment", scope.environment.map(JSONValue.string))
    add("networkDomain", scope.networkDomain.map(JSONValue.string))
    add("lastModified", validators.lastModified.map(JSONValue.string))
    add("entityTag", validators.entityTag.map(JSONValue.string))
    add("fetchedAt", .number(.integer(fetchedAt.milliseconds)))
    add("size", .number(.integer(Int64(bytes.count))))
    return Array(JSONValue.object(members).text().utf8) + [Self.lineFeed] + bytes
  }

  /// Takes a file that was fetched.
  init(scope: Scope, validators: CacheValidators, fetchedAt: Timestamp, bytes: [UInt8]) {
    self.init(scope: scope, validators: validators, fetchedAt: fetchedAt, part: bytes[...])
  }

  private init(
    scope: Scope, validators: CacheValidators, fetchedAt: Timestamp, part bytes: ArraySlice<UInt8>
  ) {
    self.scope = scope
    self.validators = validators
    self.fetchedAt = fetchedAt
    self.bytes = bytes
  }

  /// Reads the stored form; nil if it is not whole, or of another version.
  init?(decoding stored: [UInt8]) {
    guard let end = stored.prefix(Self.longestHead).firstIndex(of: Self.lineFeed),
      // What is wrong with a damaged head makes no difference: the file is not used.
      let head = try? JSONValue(parsing: Array(stored[..<end])),
      head["schema"]?.integerValue == Self.schema, let siteCode = head["siteCode"]?.stringValue,
      let fetchedAt = head["fetchedAt"]?.integerValue,
      head["size"]?.integerValue == Int64(stored.count - end - 1)
    else { return nil }
    self.init(
      scope: Scope(
        siteCode: siteCode, environment: head["environment"]?.stringValue,
        networkDomain: head["networkDomain"]?.stringValue),
      validators: CacheValidators(
        lastModified: head["lastModified"]?.stringValue, entityTag: head["entityTag"]?.stringValue),
      fetchedAt: Timestamp(milliseconds: fetchedAt), part: stored[(end + 1)...])
  }
}
