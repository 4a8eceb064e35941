// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Gives the keys of one name space their Swift names, each its own.
///
/// A name depends on its key alone, unless two keys have the same words: then the key that comes first
/// keeps the plain name, and the others get a mark of their own key, so that they do not depend on how
/// many there are.
struct Namer {
  private let subject: Renaming.Subject
  private let flagKey: String?
  private let reserved: Set<String>
  /// Whether the name with a capital must be free, too: flags name a method and a type.
  private let namesTypes: Bool
  private var keyByName: [String: String] = [:]
  private(set) var renamings: [Renaming] = []

  init(
    _ subject: Renaming.Subject, of flagKey: String? = nil, reserved: Set<String>,
    namesTypes: Bool = false
  ) {
    self.subject = subject
    self.flagKey = flagKey
    self.reserved = reserved
    self.namesTypes = namesTypes
  }

  /// The name of a key.
  mutating func name(of key: String) -> String {
    var (name, reason) = wish(for: key)
    if let other = owner(of: name) {
      reason = .taken(by: other)
      let plain = name
      var digits = 4
      repeat {
        name = "\(plain)_\(KeyHash.digits(of: key, count: min(digits, 16)))"
        // Two keys with one hash of 64 bits: more digits are only letters to tell them apart.
        if digits > 16 { name += String(digits) }
        digits += 4
      } while owner(of: name) != nil
    }
    if let reason {
      renamings.append(
        Renaming(subject: subject, flagKey: flagKey, key: key, name: name, reason: reason))
    }
    keyByName[name] = key
    if namesTypes { keyByName[SwiftName.withCapital(name)] = key }
    return name
  }

  /// The name that the key gets if nobody has it.
  private func wish(for key: String) -> (String, Renaming.Reason?) {
    let plain = SwiftName.lowerCamel(key)
    guard let first = plain.unicodeScalars.first else {
      return ("\(subject.rawValue)_\(KeyHash.digits(of: key))", .noLetters)
    }
    guard plain.unicodeScalars.count <= SwiftName.lengthLimit else {
      let head = String(plain.unicodeScalars.prefix(SwiftName.lengthLimit))
      let start = first.properties.isXIDStart ? "" : subject.rawValue
      return ("\(start)\(head)_\(KeyHash.digits(of: key))", .tooLong)
    }
    guard first.properties.isXIDStart else { return (subject.rawValue + plain, .beginsWithDigit) }
    if isReserved(plain) { return (plain + SwiftName.withCapital(subject.rawValue), .reserved) }
    return (plain, nil)
  }

  private func isReserved(_ name: String) -> Bool {
    if ["init", "self"].contains(name) || reserved.contains(name) { return true }
    guard namesTypes else { return false }
    let type = SwiftName.withCapital(name)
    return SwiftName.types.contains(type) || reserved.contains(type)
  }

  private func owner(of name: String) -> String? {
    keyByName[name] ?? (namesTypes ? keyByName[SwiftName.withCapital(name)] : nil)
  }
}
