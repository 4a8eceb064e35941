// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where the tests find the package's documents, counted from this file's place.
enum Repository {
  static let package = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../..").standardizedFileURL

  static func text(_ path: String) throws -> String {
    try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
  }
}
