// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The checks that go beyond reading and compiling.
///
/// They look at the document itself, so that paths are right even if reading left elements out.
/// What has a wrong type is passed over: reading reports it.
struct Lint {
  /// An element of a list and its path.
  struct Element {
    let path: String
    let value: JSONValue
  }

  let document: JSONValue
  let segments: [Element]
  let flags: [Element]
  let customData: [Element]
  /// The paths of conditions and groups that compiling found never to match.
  let neverMatching: Set<String>
  private(set) var findings: [Finding] = []

  /// Sums of decimal fractions miss 1 by less than this.
  static let tolerance = 1e-9

  private init(_ document: JSONValue, neverMatching: Set<String>) {
    self.document = document
    self.neverMatching = neverMatching
    segments = Self.elements("segments", of: document, at: "")
    flags = Self.elements("featureFlags", of: document, at: "")
    customData = Self.elements("customData", of: document, at: "")
  }

  /// Checks a data file.
  static func findings(in document: JSONValue, neverMatching: Set<String>) -> [Finding] {
    var lint = Lint(document, neverMatching: neverMatching)
    lint.checkCustomData()
    lint.checkSegments()
    lint.checkSegmentCycles()
    lint.checkHoldout()
    lint.checkFlags()
    lint.checkGroups()
    return lint.findings
  }

  mutating func report(_ code: Finding.Code, _ path: String, _ message: String, _ advice: String) {
    findings.append(Finding(code: code, path: path, message: message, advice: advice))
  }

  // MARK: - Reading

  /// The elements of a list; empty if there is none.
  static func elements(_ key: String, of value: JSONValue, at path: String) -> [Element] {
    let list = path.isEmpty ? key : "\(path).\(key)"
    return (value[key]?.arrayValue ?? []).enumerated().map {
      Element(path: "\(list)[\($0)]", value: $1)
    }
  }

  /// Reports every value of a field that an earlier element has as well.
  mutating func checkUnique(
    _ key: String, in elements: [Element], _ code: Finding.Code, _ consequence: String
  ) {
    var first: [JSONValue: String] = [:]
    for element in elements {
      guard let value = element.value[key], !value.isNull else { continue }
      let path = "\(element.path).\(key)"
      if let earlier = first[value] {
        report(
          code, path, "\(value.text()) stands at \(earlier) already; \(consequence)",
          "change or remove one of them")
      } else {
        first[value] = path
      }
    }
  }

  /// Reports every text that differs from an earlier one only by case or normalisation.
  mutating func checkSimilar(_ key: String, in elements: [Element]) {
    // Swift compares texts by canonical equivalence, which is what normalisation evens out.
    var first: [String: (text: String, path: String)] = [:]
    for element in elements {
      guard let text = element.value[key]?.stringValue, !text.isEmpty else { continue }
      let path = "\(element.path).\(key)"
      guard let earlier = first[text.lowercased()] else {
        first[text.lowercased()] = (text, path)
        continue
      }
      guard !earlier.text.hasSameBytes(as: text) else { continue }
      let way = earlier.text == text ? "Unicode normalisation" : "case"
      report(
        .similarKey, path,
        "\(text.quoted) differs from \(earlier.text.quoted) at \(earlier.path) only by \(way); "
          + "they are two different names",
        "give one of them another name, or write both alike")
    }
  }

  // MARK: - Sections

  private mutating func checkCustomData() {
    checkUnique("id", in: customData, .duplicateID, "the last one counts")
    checkUnique("index", in: customData, .duplicateID, "both entries share their values")
    checkUnique("name", in: customData, .duplicateKey, "the last one counts")
    checkSimilar("name", in: customData)
  }

  private mutating func checkHoldout() {
    guard let holdout = document["holdout"], holdout.objectValue != nil else { return }
    let element = Element(path: "holdout", value: holdout)
    checkSplit(of: element, consequence: "the rest takes part")
    let entries = Self.elements("variationByExposition", of: holdout, at: "holdout")
    let isOpen = !entries.contains {
      $0.value["variationKey"]?.stringValue == Holdout.inHoldoutKey
    }
    guard isOpen, !entries.isEmpty else { return }
    report(
      .openHoldout, "holdout.variationByExposition",
      "no entry is called \"\(Holdout.inHoldoutKey)\"; the holdout keeps nobody out",
      "name the entry so, or take the holdout out")
  }

  private mutating func checkGroups() {
    var members: [ExactText: [Element]] = [:]
    var names: [String] = []
    for flag in flags {
      guard let name = flag.value["mutuallyExclusiveGroup"]?.stringValue, !name.isEmpty else {
        continue
      }
      if members[ExactText(name)] == nil { names.append(name) }
      members[ExactText(name), default: []].append(flag)
    }
    for name in names { checkGroup(name, members[ExactText(name)] ?? []) }
    checkSimilar("mutuallyExclusiveGroup", in: names.compactMap { members[ExactText($0)]?.first })
  }

  private mutating func checkGroup(_ name: String, _ members: [Element]) {
    guard let first = members.first else { return }
    guard members.count > 1 else {
      return report(
        .loneGroupMember, "\(first.path).mutuallyExclusiveGroup",
        "no other flag is in the group \(name.quoted); it excludes nothing",
        "take the flag out of the group, or add the others")
    }
    for member in members where member.value["environmentEnabled"]?.boolValue != true {
      let key = member.value["featureKey"]?.stringValue ?? ""
      report(
        .disabledGroupMember, "\(member.path).environmentEnabled",
        "\(key.quoted) is switched off and still takes its share, 1 of \(members.count), of the "
          + "visitors of the group \(name.quoted), who get no flag of it",
        "take the flag out of the group, or switch it on")
    }
    let ids = members.map { $0.value["bucketingCustomDataId"]?.integerValue }
    guard let other = ids.firstIndex(where: { $0 != ids[0] }) else { return }
    report(
      .groupBucketing, "\(members[other].path).bucketingCustomDataId",
      "flags of the group \(name.quoted) are bucketed by different keys; a visitor may get several "
        + "of them",
      "bucket all flags of the group alike")
  }
}
