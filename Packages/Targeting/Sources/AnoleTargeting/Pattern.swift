// SPDX-License-Identifier: Apache-2.0

import AnoleModels

#if canImport(CAnolePCRE2)
  import CAnolePCRE2
#else
  import Foundation
#endif

/// Why a regular expression cannot be used.
struct PatternError: Error, Sendable, Hashable, CustomStringConvertible {
  let message: String
  var description: String { "invalid regular expression: \(message)" }
}

/// A compiled regular expression that matches whole values in bounded time (section 4.2).
///
/// Linux uses PCRE2, Apple systems use ICU through Foundation.
final class Pattern {
  enum Outcome: Sendable, Hashable {
    case matches, differs
    /// The limits ended the search; counts as no match.
    case gaveUp
  }

  /// How many steps the engine may take.
  ///
  /// Everyday patterns need a few hundred; the limit ends catastrophic backtracking within a few
  /// milliseconds.
  static let stepLimit: UInt32 = 100_000

  #if canImport(CAnolePCRE2)
    private let compiled: OpaquePointer

    init(_ text: String) throws(PatternError) {
      var message = [CChar](repeating: 0, count: 160)
      var fault = 0
      let code = text.withContiguousBytes { bytes in
        anole_pattern_compile(
          bytes.baseAddress, bytes.count, Self.stepLimit, &message, message.count, &fault)
      }
      guard let code else {
        let sentence = String(
          decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        throw PatternError(message: "\(sentence) at offset \(fault)")
      }
      compiled = code
    }

    deinit { anole_pattern_free(compiled) }

    /// The library's name and version.
    static var engine: String {
      var version = [CChar](repeating: 0, count: 64)
      anole_pattern_library_version(&version, version.count)
      let bytes = version.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      return "PCRE2 \(String(decoding: bytes, as: UTF8.self))"
    }

    func match(_ text: MatchText) -> Outcome {
      let code = text.string.withContiguousBytes { bytes in
        anole_pattern_matches(compiled, bytes.baseAddress, bytes.count)
      }
      switch code {
      case 1: return .matches
      case 0: return .differs
      default: return .gaveUp
      }
    }
  #else
    private let expression: NSRegularExpression

    /// The library's name.
    static let engine = "ICU (Foundation)"

    /// How long a search may take; the same purpose as ``stepLimit``.
    private static let timeLimit = Duration.milliseconds(20)

    init(_ text: String) throws(PatternError) {
      do {
        expression = try NSRegularExpression(pattern: text)
      } catch {
        throw PatternError(message: error.localizedDescription)
      }
    }

    func match(_ text: MatchText) -> Outcome {
      let whole = NSRange(location: 0, length: text.string.utf16.count)
      let end = ContinuousClock().now + Self.timeLimit
      var outcome = Outcome.differs
      expression.enumerateMatches(
        in: text.string, options: [.reportProgress, .anchored], range: whole
      ) { match, _, stop in
        if let match {
          if match.range == whole { outcome = .matches }
          stop.pointee = true
        } else if ContinuousClock().now > end {
          outcome = .gaveUp
          stop.pointee = true
        }
      }
      return outcome
    }
  #endif
}

// Safe: the compiled pattern is never changed after `init`, and both engines allow concurrent
// matching with one pattern. Needed: snapshots that hold patterns are read from every thread, and
// a C pointer is not Sendable.
extension Pattern: @unchecked Sendable {}
