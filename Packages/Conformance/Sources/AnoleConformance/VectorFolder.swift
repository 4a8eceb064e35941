// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why a folder of vectors cannot be run.
public enum ConformanceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The folder is not there or cannot be read.
  case unreadableFolder(path: String)
  /// The folder holds no file of a known form.
  case noVectors(path: String)
  /// A file cannot be read or is not what its name promises.
  case unreadableFile(path: String, reason: String)

  /// One sentence with the next step.
  public var description: String {
    switch self {
    case .unreadableFolder(let path):
      "\(path): no such folder, or no permission to read it; name a folder of vectors"
    case .noVectors(let path):
      "\(path): holds none of hashing.json, targeting.json, evaluation.json; "
        + "name a folder of vectors"
    case .unreadableFile(let path, let reason): "\(path): \(reason); fetch the vectors again"
    }
  }
}

/// A folder of golden vectors: `hashing.json`, `targeting.json`, `evaluation.json` and the data
/// files that cases name in `datafiles/`.
public struct VectorFolder: Sendable {
  /// The identity that cases expect unless they say otherwise.
  static let sdkName = "SWIFT"
  static let sdkVersion = "4.27.2"

  private let path: String

  /// A folder by its path.
  public init(path: String) {
    self.path = path
  }

  /// Runs every case of every known file.
  ///
  /// - Throws: ``ConformanceError`` if the folder or a file cannot be read.
  public func run() throws(ConformanceError) -> ConformanceReport {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    } catch {
      throw .unreadableFolder(path: path)
    }
    var files: [ConformanceReport.File] = []
    for name in names where name.hasSuffix(".json") {
      if let file = try run(name) { files.append(file) }
    }
    guard !files.isEmpty else { throw .noVectors(path: path) }
    return ConformanceReport(files: files)
  }

  /// Runs a file of a known name; nil for any other.
  private func run(_ name: String) throws(ConformanceError) -> ConformanceReport.File? {
    switch name {
    case "hashing.json": return HashingVectors.run(try cases(of: name), file: name)
    case "targeting.json":
      var runner = TargetingVectors(dataFiles: try dataFiles())
      return runner.run(try cases(of: name), file: name)
    case "evaluation.json":
      var runner = EvaluationVectors(dataFiles: try dataFiles())
      return runner.run(try cases(of: name), file: name)
    default: return nil
    }
  }

  private func cases(of name: String) throws(ConformanceError) -> [JSONValue] {
    let file = "\(path)/\(name)"
    let bytes = try bytes(of: file)
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(parsing: bytes)
    } catch {
      throw .unreadableFile(path: file, reason: error.description)
    }
    guard let cases = document["cases"]?.arrayValue, !cases.isEmpty else {
      throw .unreadableFile(path: file, reason: "has no \"cases\"")
    }
    return cases
  }

  /// The data files by name without extension.
  private func dataFiles() throws(ConformanceError) -> [String: DataFile] {
    let folder = "\(path)/datafiles"
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw .unreadableFolder(path: folder)
    }
    var dataFiles: [String: DataFile] = [:]
    for name in names where name.hasSuffix(".json") {
      let file = "\(folder)/\(name)"
      let bytes = try bytes(of: file)
      do throws(DataFileError) {
        dataFiles[String(name.dropLast(".json".count))] = try DataFile(parsing: bytes)
      } catch {
        throw .unreadableFile(path: file, reason: error.description)
      }
    }
    return dataFiles
  }

  private func bytes(of file: String) throws(ConformanceError) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw .unreadableFile(path: file, reason: "cannot be read")
    }
    return Array(data)
  }
}
