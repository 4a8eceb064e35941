// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking
import AnoleWireRecordings

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why a folder of recordings cannot be run.
public enum WireConformanceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The folder is not there or cannot be read.
  case unreadableFolder(path: String)
  /// The folder holds no recording.
  case noRecordings(path: String)
  /// A file cannot be read or is no recording.
  case unreadableFile(path: String, reason: String)

  /// One sentence with the next step.
  public var description: String {
    switch self {
    case .unreadableFolder(let path):
      "\(path): no such folder, or no permission to read it; name a folder of recordings"
    case .noRecordings(let path):
      "\(path): holds neither scenarios with \"steps\" and \"exchanges\" nor vectors_*.json; "
        + "name a folder of recordings"
    case .unreadableFile(let path, let reason): "\(path): \(reason); fetch the recordings again"
    }
  }
}

/// A folder of recorded exchanges: scenarios, lists of values named `vectors_*.json`, and the data files that
/// scenarios name in `datafiles/`.
public struct WireFolder: Sendable {
  /// How many scenarios run side by side: they wait for silence, not for the processor.
  static let parallelScenarios = 16

  private let path: String

  /// A folder by its path.
  public init(path: String) {
    self.path = path
  }

  /// Whether the folder holds recordings of this form; false for one that cannot be read.
  public var holdsRecordings: Bool {
    guard let names = try? fileNames() else { return false }
    return names.contains { name in
      name.hasPrefix("vectors_") || (try? document(name))?["exchanges"] != nil
    }
  }

  /// Replays every scenario by clients over loopback, and checks every list of values.
  ///
  /// Nothing leaves the machine; clocks are turned by hand, so that a run takes seconds.
  ///
  /// - Parameter progress: Hears how many scenarios and lists are done, of how many.
  /// - Throws: ``WireConformanceError`` if the folder or a file cannot be read; `CancellationError`.
  public func run(
    progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws -> WireReport {
    var scenarios: [WireRecording] = []
    var lists: [(name: String, document: JSONValue)] = []
    for name in try fileNames() {
      let document = try document(name)
      if name.hasPrefix("vectors_") {
        lists.append((String(name.dropLast(5)), document))
      } else if document["exchanges"] != nil {
        scenarios.append(try recording(document, name))
      }
    }
    guard !scenarios.isEmpty || !lists.isEmpty else {
      throw WireConformanceError.noRecordings(path: path)
    }
    let transport = LoopbackTransport()
    defer { transport.shutdown() }
    let total = scenarios.count + lists.count
    var entries = try await replay(scenarios, over: transport.inner) { progress($0, total) }
    for list in lists {
      entries.append(
        try await WireVectors.run(list.document, name: list.name))
      progress(entries.count, total)
    }
    return WireReport(entries: entries)
  }

  // MARK: - Scenarios

  private func replay(
    _ scenarios: [WireRecording], over transport: any HTTPTransport, progress: (Int) -> Void
  ) async throws -> [WireReport.Entry] {
    try await withThrowingTaskGroup(of: WireReport.Entry.self) { group in
      var waiting = scenarios[...]
      var entries: [WireReport.Entry] = []
      for _ in 0..<Self.parallelScenarios {
        guard let next = waiting.popFirst() else { break }
        group.addTask { try await Self.entry(next, over: transport) }
      }
      while let entry = try await group.next() {
        entries.append(entry)
        progress(entries.count)
        guard let next = waiting.popFirst() else { continue }
        group.addTask { try await Self.entry(next, over: transport) }
      }
      return entries
    }
  }

  private static func entry(
    _ recording: WireRecording, over transport: any HTTPTransport
  ) async throws -> WireReport.Entry {
    var entry = WireReport.Entry(name: recording.name)
    var recording = recording
    do {
      let decisions = try recording.apply(WireDecision.table)
      entry.decisions = decisions.map {
        WireReport.Decision(section: $0.section, difference: $0.difference)
      }
      let found = try await ScenarioReplay(recording: recording, inner: transport).run()
      if let first = found.first { entry.fail(first) } else { entry.passed = 1 }
    } catch let error as CancellationError {
      throw error
    } catch {
      entry.fail("\(error)")
    }
    return entry
  }

  // MARK: - Files

  private func fileNames() throws(WireConformanceError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        .filter { $0.hasSuffix(".json") }
    } catch {
      throw .unreadableFolder(path: path)
    }
  }

  private func document(_ name: String) throws(WireConformanceError) -> JSONValue {
    try JSONFile.read("\(path)/\(name)")
  }

  private func recording(
    _ document: JSONValue, _ name: String
  ) throws(WireConformanceError) -> WireRecording {
    do throws(WireFormatError) {
      return try WireRecording(document) { (file) throws(WireFormatError) in
        // Beside the recording, never above it.
        guard !file.hasPrefix("/"), !file.split(separator: "/").contains("..") else {
          throw WireFormatError("the body file \(file) lies outside of the folder")
        }
        guard let data = FileManager.default.contents(atPath: "\(path)/\(file)") else {
          throw WireFormatError("the body file \(file) cannot be read")
        }
        return Array(data)
      }
    } catch {
      throw .unreadableFile(path: "\(path)/\(name)", reason: error.description)
    }
  }
}
