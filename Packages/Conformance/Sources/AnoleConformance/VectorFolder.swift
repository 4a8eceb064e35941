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

  /// Runs every case of every known file, the files side by side.
  ///
  /// - Parameter progress: Hears how many files are done, of how many; not always from the same thread.
  /// - Throws: ``ConformanceError`` if the folder or a file cannot be read.
  public func run(
    progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws(ConformanceError) -> ConformanceReport {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw .unreadableFolder(path: path)
    }
    let known = Self.runners.keys.filter(names.contains).sorted()
    guard !known.isEmpty else { throw .noVectors(path: path) }
    progress(0, known.count)
    let results = await withTaskGroup(
      of: Result<ConformanceReport.File, ConformanceError>.self
    ) { group in
      for name in known { group.addTask { self.result(of: name) } }
      var results: [Result<ConformanceReport.File, ConformanceError>] = []
      for await result in group {
        results.append(result)
        progress(results.count, known.count)
      }
      return results
    }
    var files: [ConformanceReport.File] = []
    for result in results { files.append(try result.get()) }
    return ConformanceReport(files: files.sorted { $0.name < $1.name })
  }

  private typealias Runner =
    @Sendable (VectorFolder, String) throws(ConformanceError) -> ConformanceReport.File

  /// What runs a file of a known name.
  private static let runners: [String: Runner] = [
    "hashing.json": { (folder, name) throws(ConformanceError) in
      HashingVectors.run(try folder.cases(of: name), file: name)
    },
    "targeting.json": { (folder, name) throws(ConformanceError) in
      var runner = TargetingVectors(dataFiles: try folder.dataFiles())
      return runner.run(try folder.cases(of: name), file: name)
    },
    "evaluation.json": { (folder, name) throws(ConformanceError) in
      var runner = EvaluationVectors(dataFiles: try folder.dataFiles())
      return runner.run(try folder.cases(of: name), file: name)
    },
  ]

  private func result(
    of name: String
  ) -> Result<ConformanceReport.File, ConformanceError> {
    do throws(ConformanceError) {
      guard let run = Self.runners[name] else { throw .noVectors(path: path) }
      return .success(try run(self, name))
    } catch {
      return .failure(error)
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
