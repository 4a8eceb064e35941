// SPDX-License-Identifier: Apache-2.0

import AnoleModels

// Visitor codes, records and links: network specification, sections 3.10 and 6.

extension ProjectEngine {
  /// The code of a client: the one that is given, else the one in use, else a new one; it is in use
  /// from now on, also at the next start.
  func takeVisitorCode(_ given: String?) -> String {
    if let given, given.unicodeScalars.count > GeneratedCode.serverLimit {
      KameleoonLogger.write(
        .warning, "the visitor code has more than 100 characters; the platform may cut it")
    }
    let (code, isNew) = state.takeVisitorCode(given) { GeneratedCode.make() }
    if isNew { local.write(visitorCode: code) }
    return code
  }

  /// Begins the use of a visitor's record; it is read from the store if it is not in memory.
  ///
  /// A user that is linked to an anonymous visitor gets that visitor's record.
  func openVisitor(_ visitorCode: String, isUnique: Bool) -> VisitorSlot {
    if let slot = visitors.find(visitorCode)?.slot {
      return visitors.begin(visitorCode, isUnique: isUnique, slot: slot)
    }
    guard let owner = local.link(of: visitorCode), ExactText(owner) != ExactText(visitorCode) else {
      return visitors.begin(visitorCode, isUnique: isUnique, slot: read(visitorCode))
    }
    // The anonymous visitor comes into memory with the user, so that both codes find one record.
    let ownerSlot = visitors.begin(
      owner, isUnique: false, slot: visitors.find(owner)?.slot ?? read(owner))
    defer { visitors.end(owner) }
    return visitors.begin(visitorCode, isUnique: isUnique, slot: ownerSlot)
  }

  /// Ends the use of a visitor's record by a client.
  func forgetVisitor(_ visitorCode: String) {
    if visitors.end(visitorCode) { activity.end(visitorCode) }
  }

  private func read(_ visitorCode: String) -> VisitorSlot {
    let empty = VisitorSlot(
      code: visitorCode, record: VisitorRecord(visitStart: keeper.now), isDirty: false)
    guard let bytes = local.visitor(visitorCode) else { return empty }
    do {
      var record = try VisitorRecord(decoding: bytes)
      keeper.expire(&record, at: keeper.now)
      return VisitorSlot(code: visitorCode, record: record, isDirty: false)
    } catch {
      KameleoonLogger.write(
        .warning, "a stored visitor's record cannot be read and is begun anew: \(error)")
      return empty
    }
  }
}

/// Makes visitor codes.
enum GeneratedCode {
  /// How many characters a made code has.
  static let length = 16
  /// What the platform documents as the field's limit.
  static let serverLimit = 100

  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// A new code: 16 characters of `a-z0-9`, from the system's cryptographic generator.
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<length).map { _ in alphabet.randomElement(using: &generator) ?? alphabet[0] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
