// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation

/// Reads the files of a folder of recordings.
enum JSONFile {
  /// The document in a file.
  ///
  /// - Throws: ``WireConformanceError`` with the file and what is wrong.
  static func read(_ path: String) throws(WireConformanceError) -> JSONValue {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .unreadableFile(path: path, reason: "cannot be read")
    }
    do throws(JSONError) {
      return try JSONValue(parsing: Array(data))
    } catch {
      throw .unreadableFile(path: path, reason: error.description)
    }
  }
}
