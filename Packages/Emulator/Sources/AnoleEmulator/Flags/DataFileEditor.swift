// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Changes values in a data file's text, and leaves every other byte as it is.
struct DataFileEditor {
  private let bytes: [UInt8]
  private let map: DataFileMap
  private var patches: [(range: Range<Int>, text: String)] = []

  /// The text with a change.
  ///
  /// `dateModified`, if the file has it, moves on as well: clients compare it.
  /// - Parameters:
  ///   - bytes: the file as it is served.
  ///   - now: the time of day.
  static func apply(
    _ change: FlagChange, toFlag key: String, in bytes: [UInt8], now: Timestamp
  ) throws(FlagEditError) -> [UInt8] {
    try change.check()
    var editor = try DataFileEditor(bytes)
    try editor.apply(change, toFlag: key)
    editor.renew(now)
    return editor.result
  }

  private init(_ bytes: [UInt8]) throws(FlagEditError) {
    self.bytes = bytes
    do throws(JSONError) {
      map = try DataFileMap(bytes)
    } catch {
      throw FlagEditError(.unreadable, "the data file is not JSON: \(error)")
    }
  }

  private mutating func apply(
    _ change: FlagChange, toFlag key: String
  ) throws(FlagEditError) {
    // Of several flags with one key the last counts.
    guard let flag = map.flags.last(where: { $0.key?.hasSameBytes(as: key) == true }) else {
      throw FlagEditError(
        .notFound, "the data file has no flag \(key.debugDescription): see the list of flags")
    }
    switch change {
    case .enabled(let isEnabled): put("\(isEnabled)", "environmentEnabled", at: flag.enabled)
    case .exposition(let share, let id):
      put(Self.text(share), "exposition", at: try rule(id, of: flag, key).exposition)
    case .split(let shares, let id): try split(shares, try rule(id, of: flag, key), id)
    }
  }

  private func rule(
    _ id: Int64, of flag: DataFileMap.Flag, _ key: String
  ) throws(FlagEditError) -> DataFileMap.Rule {
    let rules = flag.rules.filter { $0.id == id }
    guard let rule = rules.first else {
      throw FlagEditError(
        .notFound, "flag \(key.debugDescription) has no rule \(id): see the list of flags")
    }
    guard rules.count == 1 else {
      throw FlagEditError(
        .notFound,
        "flag \(key.debugDescription) has \(rules.count) rules \(id): give them ids of their own")
    }
    return rule
  }

  private mutating func split(
    _ shares: [Double], _ rule: DataFileMap.Rule, _ id: Int64
  ) throws(FlagEditError) {
    guard let places = rule.split else {
      throw FlagEditError(.unreadable, "the split of rule \(id) is not a list of objects: mend it")
    }
    guard places.count == shares.count else {
      throw FlagEditError(
        .invalidValue,
        "the split of rule \(id) has \(places.count) variations: give a share for each, "
          + "not \(shares.count)")
    }
    for (place, share) in zip(places, shares) { put(Self.text(share), "exposition", at: place) }
  }

  /// Puts a value in place; a number that is the same already keeps the form it was written in.
  private mutating func put(_ text: String, _ name: String, at place: DataFileMap.Place) {
    if place.values.isEmpty {
      let comma = place.hasMembers ? ", " : ""
      patches.append((place.opening..<place.opening, "\"\(name)\": \(text)\(comma)"))
    }
    for range in place.values where !isSame(text, as: range) { patches.append((range, text)) }
  }

  private func isSame(_ text: String, as range: Range<Int>) -> Bool {
    let written = String(decoding: bytes[range], as: UTF8.self)
    return written == text || Double(written).map { $0 == Double(text) } ?? false
  }

  private mutating func renew(_ now: Timestamp) {
    guard !patches.isEmpty else { return }
    for range in map.dates {
      guard let date = Int64(String(decoding: bytes[range], as: UTF8.self)), date < .max else {
        continue
      }
      patches.append((range, "\(max(now.milliseconds, date + 1))"))
    }
  }

  private static func text(_ share: Double) -> String {
    Int64(exactly: share).map { "\($0)" } ?? "\(share)"
  }

  private var result: [UInt8] {
    var result = bytes
    for patch in patches.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      result.replaceSubrange(patch.range, with: patch.text.utf8)
    }
    return result
  }
}
