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
  private(set) var findings: [Finding] = []

  /// Sums of decimal fractions miss 1 by less than this.
  static let tolerance = 1e-9

  private init(_ document: JSONValue) {
    self.document = document
    segments = Self.elements("segments", of: document, at: "")
    flags = Self.elements("featureFlags", of: document, at: "")
    customData = Self.elements("customData", of: document, at: "")
  }

  /// Checks a data file.
  static func findings(in document: JSONValue) -> [Finding] {
    var lint = Lint(document)
    lint.checkCustomData()
    lint.checkSegments()
    lint.checkSegmentCycles()
    lint.checkHoldout()
    lint.checkFlags()
    lint.checkGroups()
    return lint.findings
  }

  mutating func report(_ check: Finding.Check, _ path: String, _ message: String) {
    findings.append(Finding(check: check, path: path, message: message))
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
    _ key: String, in elements: [Element], _ check: Finding.Check, _ consequence: String
  ) {
    var first: [JSONValue: String] = [:]
    for element in elements {
      guard let value = element.value[key], !value.isNull else { continue }
      let path = "\(element.path).\(key)"
      if let earlier = first[value] {
        report(check, path, "\(value.text()) stands at \(earlier) already; \(consequence)")
      } else {
        first[value] = path
      }
    }
  }

  // MARK: - Sections

  private mutating func checkCustomData() {
    checkUnique("id", in: customData, .duplicateID, "the last one counts")
    checkUnique("index", in: customData, .duplicateID, "both entries share their values")
    checkUnique("name", in: customData, .duplicateKey, "the last one counts")
  }

  private mutating func checkSegments() {
    checkUnique("id", in: segments, .duplicateID, "rules use the last one")
    let indexes = Set(customData.compactMap { $0.value["index"]?.integerValue })
    for entry in segments.flatMap(Self.conditions) where entry.type == "CUSTOM_DATUM" {
      let field = entry.condition["customDataIndex"]
      guard let index = field?.integerValue ?? field?.stringValue.flatMap(Int64.init),
        !indexes.contains(index)
      else { continue }
      report(
        .unknownCustomData, "\(entry.path).customDataIndex",
        "customData declares no index \(index)")
    }
  }

  static func conditions(of segment: Element) -> [ConditionList.Entry] {
    guard let tree = segment.value["conditionsData"] else { return [] }
    return ConditionList.entries(of: tree, path: "\(segment.path).conditionsData")
  }

  private mutating func checkHoldout() {
    guard let holdout = document["holdout"], holdout.objectValue != nil else { return }
    checkSplit(of: Element(path: "holdout", value: holdout), consequence: "the rest takes part")
  }

  private mutating func checkGroups() {
    var members: [String: [Element]] = [:]
    var names: [String] = []
    for flag in flags {
      guard let name = flag.value["mutuallyExclusiveGroup"]?.stringValue, !name.isEmpty else {
        continue
      }
      if members[name] == nil { names.append(name) }
      members[name, default: []].append(flag)
    }
    for name in names {
      guard let only = members[name]?.first, members[name]?.count == 1 else { continue }
      report(
        .loneGroupMember, "\(only.path).mutuallyExclusiveGroup",
        "no other flag is in the group \(Printable.quote(name)); it excludes nothing")
    }
  }
}
