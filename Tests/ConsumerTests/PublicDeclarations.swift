// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The names that source files declare publicly, read line by line.
///
/// Left out are files for other programs of the repository (`@_spi`), code for Apple systems, and the
/// members that protocols of the standard library ask for.
struct PublicDeclarations {
  private static let ordinary: Set = ["description", "errorDescription", "hash", "encode"]

  private(set) var names: Set<String> = []

  init(files: [URL]) throws {
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard !text.contains("@_spi(") else { continue }
      read(text)
    }
    names.subtract(Self.ordinary)
  }

  private mutating func read(_ text: String) {
    let pattern =
      /^\s*(?:@\w+(?:\([^)]*\))?\s+)*public\s+(?:(?:static|final|mutating|nonisolated|indirect|convenience|private\(set\)|internal\(set\))\s+)*(?:func|var|let|struct|enum|class|protocol|actor|typealias)\s+`?([A-Za-z_]\w*)/
    var isForApple: [Bool] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let code = line.drop { $0 == " " }
      if code.hasPrefix("#if") {
        isForApple.append(Self.isForApple(code))
      } else if code.hasPrefix("#else"), let last = isForApple.popLast() {
        isForApple.append(code.hasPrefix("#elseif") ? Self.isForApple(code) : !last)
      } else if code.hasPrefix("#endif") {
        _ = isForApple.popLast()
      } else if !isForApple.contains(true), let match = line.firstMatch(of: pattern) {
        names.insert(String(match.output.1))
      }
    }
  }

  /// Whether code under a condition is for Apple systems alone.
  private static func isForApple(_ condition: Substring) -> Bool {
    ["Darwin", "UIKit"].contains { name in
      condition.contains("canImport(\(name))") && !condition.contains("!canImport(\(name))")
    }
  }
}
