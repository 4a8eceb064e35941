// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Where the tests find files, counted from this file's place in the repository.
enum Repository {
  /// The folder of this package.
  static let package = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../..").standardizedFileURL
  static let root = package.appendingPathComponent("../..").standardizedFileURL
  /// Third-party test data, kept beside the repository and not part of it.
  static let suites = root.appendingPathComponent("../shared/suites").standardizedFileURL

  static func hasSuite(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: suites.appendingPathComponent(path).path)
  }

  static func bytes(_ url: URL) throws -> [UInt8] {
    let bytes = [UInt8](try Data(contentsOf: url))
    try #require(!bytes.isEmpty, "\(url.lastPathComponent) is empty")
    return bytes
  }

  static func suite(_ path: String) throws -> Data {
    Data(try bytes(suites.appendingPathComponent(path)))
  }

  /// The cells of the non-empty lines of a table.
  static func table(_ path: String) throws -> [[String]] {
    let text = String(decoding: try suite(path), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  static func fixture(_ name: String) throws -> [UInt8] {
    let url = try #require(
      Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "json"))
    return try bytes(url)
  }
}
