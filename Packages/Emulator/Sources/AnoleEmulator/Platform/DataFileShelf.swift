// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// A data file as it is served.
struct ServedDataFile: Sendable, Hashable {
  let body: [UInt8]
  /// The text of `Last-Modified`; any text, it is compared as it is.
  let lastModified: String?
  let entityTag: String?

  init(body: [UInt8], lastModified: String?, entityTag: String?) {
    precondition(
      HeaderField.isValid(name: "x", value: (lastModified ?? "") + (entityTag ?? "")),
      "Last-Modified and ETag are sent in a header: they must not hold line breaks")
    self.body = body
    self.lastModified = lastModified
    self.entityTag = entityTag
  }
}

/// The data files by site code and environment.
struct DataFileShelf: Sendable {
  /// Whom a file is for; nil stands for every site code, and for no environment or one without a file.
  struct Key: Sendable, Hashable {
    let siteCode: String?
    let environment: String?
  }

  private var files: [Key: ServedDataFile] = [:]
  /// The compiled forms of those that somebody decided by.
  private var snapshots: [Key: Result<ServedSnapshot, DataFileError>] = [:]

  /// Goes up with every change.
  var revision = 0

  var count: Int { files.count }

  /// Where files are, the general one first, then by name.
  var keys: [Key] {
    files.keys.sorted { left, right in
      let (left, right) = (left.order, right.order)
      return left.lexicographicallyPrecedes(right)
    }
  }

  /// Puts a file in place; nil stands for every site code, or for requests without environment and
  /// those whose environment has no file of its own.
  mutating func set(_ file: ServedDataFile?, siteCode: String?, environment: String?) {
    set(file, at: Key(siteCode: siteCode, environment: environment))
  }

  mutating func set(_ file: ServedDataFile?, at key: Key) {
    files[key] = file
    snapshots[key] = nil
    revision += 1
  }

  /// The file that was set for exactly these, or where they are nil for anything else, the only one.
  func shelved(siteCode: String?, environment: String?) -> (key: Key, file: ServedDataFile)? {
    let exact = Key(siteCode: siteCode, environment: environment)
    let only = siteCode == nil && environment == nil && files.count == 1 ? files.keys.first : nil
    for key in [exact, only].compactMap(\.self) {
      if let file = files[key] { return (key, file) }
    }
    return nil
  }

  /// The compiled form of a file, if somebody has asked for it before.
  func compiled(_ key: Key) -> Result<ServedSnapshot, DataFileError>? { snapshots[key] }

  /// Keeps the compiled form of the file that is in place.
  mutating func keep(_ snapshot: Result<ServedSnapshot, DataFileError>, at key: Key) {
    snapshots[key] = snapshot
  }

  func file(siteCode: String, environment: String?) -> ServedDataFile? {
    key(siteCode: siteCode, environment: environment).flatMap { files[$0] }
  }

  /// The compiled form of a file; made when it is first asked for, as most files never are.
  ///
  /// - Parameter siteCode: The site; nil for the general file, or else the only one.
  mutating func snapshot(
    siteCode: String?, environment: String?
  ) throws(DataFileError) -> ServedSnapshot? {
    let known = key(siteCode: siteCode, environment: environment)
    let only = siteCode == nil && files.count == 1 ? files.keys.first : nil
    guard let key = known ?? only, let file = files[key] else { return nil }
    if let snapshot = snapshots[key] { return try snapshot.get() }
    let snapshot = Result { () throws(DataFileError) in try ServedSnapshot(file.body) }
    snapshots[key] = snapshot
    return try snapshot.get()
  }

  private func key(siteCode: String?, environment: String?) -> Key? {
    for environment in environment == nil ? [nil] : [environment, nil] {
      for site in siteCode == nil ? [nil] : [siteCode, nil] {
        let key = Key(siteCode: site, environment: environment)
        if files[key] != nil { return key }
      }
    }
    return nil
  }
}

extension DataFileShelf.Key {
  /// What keys are sorted by.
  fileprivate var order: [String] { [siteCode ?? "", environment ?? ""] }
}

extension ServedDataFile {
  /// Answers a request for the file.
  ///
  /// - Parameter lastModified: What `Last-Modified` says.
  func answer(to head: RequestHead, lastModified: String?) -> Answer {
    var fields: [HeaderField] = []
    if let lastModified { fields.append(HeaderField("Last-Modified", lastModified)) }
    if let entityTag { fields.append(HeaderField("ETag", entityTag)) }
    if isKnown(to: head, lastModified: lastModified) {
      // The length that the file has; 0, which the library would add, would be a false promise.
      return .empty(304, fields: fields + [HeaderField("Content-Length", "\(body.count)")])
    }
    var answer = Answer.json(body)
    answer.fields += fields
    return answer
  }

  /// Whether the condition of the request says that it has this file; the tag decides if there is one.
  private func isKnown(to head: RequestHead, lastModified: String?) -> Bool {
    if let known = head.fields.value(named: "If-None-Match"), let entityTag {
      return EntityTag.list(known, contains: entityTag)
    }
    guard let known = head.fields.value(named: "If-Modified-Since") else { return false }
    return known == lastModified
  }
}
