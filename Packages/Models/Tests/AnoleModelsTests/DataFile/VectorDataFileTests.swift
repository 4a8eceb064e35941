// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation
import Testing

/// The data files of the golden vectors, which the whole repository shares.
private let folder = Repository.root.appendingPathComponent("Tests/Fixtures/vectors/datafiles")

/// What another reader, Foundation's, finds in a data file.
private struct Expected: Decodable {
  struct CustomDatum: Decodable { let index: Int? }
  struct Segment: Decodable { let id: Int64 }

  struct Entry: Decodable, Equatable {
    let variationKey: String
    let variationId: Int64?
    let exposition: Double?
  }

  struct Holdout: Decodable { let variationByExposition: [Entry] }

  struct Rule: Decodable {
    let id: Int64
    let exposition: Double?
    let segmentId: Int64?
    let variationByExposition: [Entry]
  }

  struct Variable: Decodable {
    let key: String
    let type: String
  }

  struct Variation: Decodable {
    let key: String
    let variables: [Variable]?
  }

  struct Flag: Decodable {
    let featureKey: String
    let variations: [Variation]
    let rules: [Rule]
  }

  let customData: [CustomDatum]?
  let segments: [Segment]?
  let featureFlags: [Flag]
  let holdout: Holdout?
}

@Suite("Data files of the golden vectors")
struct VectorDataFileTests {
  @Test("every file is read without a diagnostic, with everything that is in it")
  func allFiles() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".json") }
    try #require(names.count >= 21)
    for name in names {
      let bytes = try Repository.bytes(folder.appendingPathComponent(name))
      let reading = try DataFile.read(bytes)
      #expect(reading.diagnostics == [], "\(name)")
      let expected = try JSONDecoder().decode(Expected.self, from: Data(bytes))
      compare(reading.dataFile, expected, name)
    }
  }

  private func compare(_ file: DataFile, _ expected: Expected, _ name: String) {
    #expect(file.customData.map(\.index) == (expected.customData ?? []).compactMap(\.index))
    #expect(file.segments.map(\.id) == (expected.segments ?? []).map(\.id), "\(name)")
    #expect(file.holdout?.split.map(entry) == expected.holdout?.variationByExposition, "\(name)")
    #expect(file.featureFlags.map(\.key) == expected.featureFlags.map(\.featureKey), "\(name)")
    for (flag, expected) in zip(file.featureFlags, expected.featureFlags) {
      #expect(flag.rules.map(\.id) == expected.rules.map(\.id), "\(name)")
      #expect(flag.rules.map(\.exposition) == expected.rules.map { $0.exposition ?? 0 }, "\(name)")
      #expect(flag.rules.map(\.segmentID) == expected.rules.map(\.segmentId), "\(name)")
      let splits = expected.rules.map(\.variationByExposition)
      #expect(flag.rules.map { $0.split.map(entry) } == splits, "\(name)")
      #expect(flag.variations.map(\.key) == expected.variations.map(\.key), "\(name)")
      let keys = expected.variations.map { ($0.variables ?? []).map(\.key) }
      #expect(flag.variations.map { $0.variables.map(\.key) } == keys, "\(name)")
      let types = expected.variations.map { ($0.variables ?? []).map(\.type) }
      #expect(flag.variations.map { $0.variables.map(\.type) } == types, "\(name)")
    }
  }

  private func entry(_ entry: SplitEntry) -> Expected.Entry {
    Expected.Entry(
      variationKey: entry.variationKey, variationId: entry.variationID,
      exposition: entry.exposition)
  }
}
