// SPDX-License-Identifier: Apache-2.0

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
  private struct Key: Hashable {
    let siteCode: String?
    let environment: String?
  }

  private var files: [Key: ServedDataFile] = [:]

  var count: Int { files.count }

  /// Puts a file in place; nil stands for every site code, or for requests without environment and
  /// those whose environment has no file of its own.
  mutating func set(_ file: ServedDataFile?, siteCode: String?, environment: String?) {
    files[Key(siteCode: siteCode, environment: environment)] = file
  }

  func file(siteCode: String, environment: String?) -> ServedDataFile? {
    for environment in environment == nil ? [nil] : [environment, nil] {
      for site in [siteCode, nil] {
        if let file = files[Key(siteCode: site, environment: environment)] { return file }
      }
    }
    return nil
  }
}

extension ServedDataFile {
  func answer(to head: RequestHead) -> Answer {
    var fields: [HeaderField] = []
    if let lastModified { fields.append(HeaderField("Last-Modified", lastModified)) }
    if let entityTag { fields.append(HeaderField("ETag", entityTag)) }
    if isKnown(to: head) {
      // The length that the file has; 0, which the library would add, would be a false promise.
      return .empty(304, fields: fields + [HeaderField("Content-Length", "\(body.count)")])
    }
    var answer = Answer.json(body)
    answer.fields += fields
    return answer
  }

  /// Whether the condition of the request says that it has this file; the tag decides if there is one.
  private func isKnown(to head: RequestHead) -> Bool {
    if let known = head.fields.value(named: "If-None-Match"), let entityTag {
      return known.split(separator: ",").contains {
        let tag = $0.drop { $0 == " " }
        return tag == "*" || tag.prefix(entityTag.count) == entityTag
      }
    }
    guard let known = head.fields.value(named: "If-Modified-Since") else { return false }
    return known == lastModified
  }
}
