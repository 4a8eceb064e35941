// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleModelsTesting
import AnoleTargeting
import Testing

/// Damaged copies of the data files of the golden vectors: 21 files of 953 copies are 20,013.
@Suite("Damaged data files")
struct RobustnessTests {
  #if THREAD_SANITIZER
    private static let copies = 60
  #else
    private static let copies = 953
  #endif
  private static let damagedBytes = copies / 4

  @Test(
    "no damage to the structure crashes or hangs anything", .timeLimit(.minutes(5)),
    arguments: Repository.dataFileNames)
  func structure(_ name: String) throws {
    let original = try JSONValue(parsing: try Repository.dataFile(name))
    var mutator = Mutator(seed: Self.seed(name, 1))
    var accepted = 0
    for number in 0..<(Self.copies - Self.damagedBytes) {
      var damaged = original
      for _ in 0...(number % 3) { damaged = mutator.mutate(damaged) }
      if try use(Array(damaged.text().utf8), name, number) { accepted += 1 }
    }
    #expect(accepted > 0)
  }

  @Test(
    "no damage to the bytes crashes or hangs anything", .timeLimit(.minutes(5)),
    arguments: Repository.dataFileNames)
  func bytes(_ name: String) throws {
    let original = Array(try JSONValue(parsing: try Repository.dataFile(name)).text().utf8)
    var mutator = Mutator(seed: Self.seed(name, 2))
    var accepted = 0
    for number in 0..<Self.damagedBytes {
      if try use(mutator.mutate(original), name, number) { accepted += 1 }
    }
    #expect(accepted > 0)
  }

  private static func seed(_ name: String, _ salt: UInt64) -> UInt64 {
    name.utf8.reduce(into: salt) { $0 = $0 &* 31 &+ UInt64($1) }
  }

  /// Reads a file and, if it is accepted, decides with it.
  private func use(_ bytes: [UInt8], _ name: String, _ number: Int) throws -> Bool {
    let place: () -> String = { "\(name), copy \(number)" }
    let file: DataFile
    do throws(DataFileError) {
      file = try DataFile.read(bytes).dataFile
    } catch {
      #expect(Self.justifies(error, bytes), "\(place()): \(error)")
      return false
    }
    #expect(!Self.mustReject(bytes), "\(place())")
    let snapshot = Snapshot(file, sdk: FileText.sdk)
    for code in ["visitor1", "ベン"] {
      let visitor = TestVisitor(
        code, of: snapshot,
        code == "visitor1" ? [] : [.customData(index: 1, values: ["pro"]), .device(.tablet)])
      for key in snapshot.featureKeys { try decide(key, visitor, place) }
    }
    if let key = snapshot.featureKeys.last {
      let answer = TestVisitor("visitor1", of: snapshot).answer(key)
      #expect(!answer.hasPrefix("decide and explain disagree"), "\(place()): \(answer)")
    }
    return true
  }

  private func decide(_ key: String, _ visitor: TestVisitor, _ place: () -> String) throws {
    do throws(EvaluationError) {
      let decision = try visitor.decide(key)
      let variation = visitor.snapshot.variation(of: decision)
      guard variation.key.utf8.elementsEqual(decision.variationKey.utf8) else {
        Issue.record("\(place()): \(variation.key) for \(decision.variationKey)")
        return
      }
    } catch {
      guard error == .environmentDisabled(featureKey: key) else {
        Issue.record("\(place()): \(error)")
        return
      }
    }
  }

  /// Whether a rejection has one of the three causes of section 1.1, rule 5.
  private static func justifies(_ error: DataFileError, _ bytes: [UInt8]) -> Bool {
    switch (error, document(bytes)) {
    case (.malformed, nil): true
    case (.rootIsNotAnObject, let root?): root.objectValue == nil
    case (.featureFlagsIsNotAList, let root?):
      flagLists(root).contains { $0.arrayValue == nil && !$0.isNull }
    default: false
    }
  }

  private static func mustReject(_ bytes: [UInt8]) -> Bool {
    guard let root = document(bytes), root.objectValue != nil else { return true }
    let lists = flagLists(root).filter { !$0.isNull }
    return !lists.isEmpty && lists.allSatisfy { $0.arrayValue == nil }
  }

  /// Every member `featureFlags`; damage may have made several.
  private static func flagLists(_ root: JSONValue) -> [JSONValue] {
    (root.objectValue ?? []).filter { $0.key == "featureFlags" }.map(\.value)
  }

  private static func document(_ bytes: [UInt8]) -> JSONValue? {
    do throws(JSONError) {
      return try JSONValue(parsing: bytes)
    } catch {
      return nil
    }
  }
}
