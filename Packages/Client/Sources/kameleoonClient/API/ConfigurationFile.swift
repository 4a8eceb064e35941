// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The file of settings, `kameleoon-client-swift.plist`, XML or binary.
///
/// Keys are written `refresh_interval_minute` or `refreshIntervalMinute`; of both the first counts. A value
/// of the wrong type is logged and counts as missing; all unknown keys together are logged once.
struct ConfigurationFile {
  /// The file's name.
  static let name = "kameleoon-client-swift.plist"
  /// The environment variable that may hold the file's path.
  static let variable = "KAMELEOON_CLIENT_SWIFT_PLIST"
  /// The greatest size of a file that is read, in bytes: data files in it are below a few megabytes.
  static let largestSize = 64 << 20

  /// How many lists and dictionaries a file has at most; the settings are one dictionary.
  static let mostContainers = 256

  /// What takes messages.
  typealias Log = (LogLevel, String) -> Void

  /// A path and whether a file is expected there.
  struct Candidate: Hashable {
    let path: String
    let isNamed: Bool
  }

  /// The places that are looked at, in order.
  let candidates: [Candidate]

  /// Names the places.
  ///
  /// - Parameters:
  ///   - path: The path given in code, if one is.
  ///   - environment: The process's environment.
  ///   - workingFolder: The working directory.
  ///   - programFolder: The folder of the executable, or the bundle's resources.
  init(
    path: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    workingFolder: String = FileManager.default.currentDirectoryPath,
    programFolder: String? = Self.programFolder
  ) {
    let named = [path, environment[Self.variable]].compactMap { $0 }.filter { !$0.isEmpty }
    let folders = [workingFolder, programFolder].compactMap { $0 }
    candidates =
      named.map { Candidate(path: $0, isNamed: true) }
      + folders.map {
        Candidate(
          path: URL(fileURLWithPath: $0).appendingPathComponent(Self.name).path, isNamed: false)
      }
  }

  /// Where the program lies: the bundle's resources on Apple systems, the executable's folder elsewhere.
  private static var programFolder: String? {
    #if canImport(Darwin)
      Bundle.main.resourcePath
    #else
      Bundle.main.executableURL?.deletingLastPathComponent().path
    #endif
  }

  /// Reads the first file that exists; the defaults where none does.
  ///
  /// A file that is named but missing or unreadable is an error in the log; the defaults are used then, not
  /// the next place, so that a typing error does not bring in another file's settings.
  ///
  /// - Parameter log: Takes what is odd.
  func read(log: Log = { KameleoonLogger.write($0, $1) }) -> KameleoonClientConfig {
    for candidate in candidates {
      let exists = FileManager.default.fileExists(atPath: candidate.path)
      if exists { return Self.read(candidate.path, log) }
      if candidate.isNamed {
        log(.error, "settings: there is no file at \"\(candidate.path)\"; the defaults are used")
        return KameleoonClientConfig()
      }
    }
    log(.info, "settings: there is no file \(Self.name); the defaults are used")
    return KameleoonClientConfig()
  }

  private static func read(_ path: String, _ log: Log) -> KameleoonClientConfig {
    do {
      let bytes = try Self.bytes(of: path)
      guard !hasManyContainers(bytes) else {
        throw ConfigurationFileError(
          message: "it has more than \(mostContainers) lists and dictionaries")
      }
      let values = try PropertyListDecoder().decode([String: PropertyValue].self, from: bytes)
      log(.info, "settings: \"\(path)\" is used")
      return ConfigurationReader(path: path, values: values).config(log: log)
    } catch {
      log(
        .error,
        "settings: \"\(path)\" cannot be read; the defaults are used; it must be a property list "
          + "with a dictionary: \(error)")
      return KameleoonClientConfig()
    }
  }
}

extension ConfigurationFile {
  fileprivate static func bytes(of path: String) throws -> Data {
    let attributes = try FileManager.default.attributesOfItem(
      atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw ConfigurationFileError(message: "it is not a file")
    }
    guard let size = attributes[.size] as? Int, size <= largestSize else {
      throw ConfigurationFileError(message: "it is larger than \(largestSize) bytes")
    }
    guard size > 0 else { throw ConfigurationFileError(message: "it is empty") }
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Whether an XML file opens more lists and dictionaries than ``mostContainers``.
  ///
  /// On deep nesting the decoder would run out of stack. `PropertyListSerialization` refuses it, but on Linux
  /// it leaks what it refuses. In the other formats the decoder does not descend without limit.
  fileprivate static func hasManyContainers(_ bytes: Data) -> Bool {
    // Without the zeros of UTF-16 and UTF-32.
    let text = bytes.filter { $0 != 0 }
    let tags = ["<array", "<dict", "<plist"].map { Array($0.utf8) }
    let openings = text.indices.lazy.filter { index in
      text[index] == UInt8(ascii: "<") && tags.contains { text[index...].starts(with: $0) }
    }
    // One more for the element around all of them.
    return openings.prefix(mostContainers + 2).count > mostContainers + 1
  }
}

/// Why a file of settings is not read.
struct ConfigurationFileError: Error, CustomStringConvertible {
  let message: String
  var description: String { message }
}
