// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
public import AnoleModels
public import AnoleTargeting

/// All that is wrong in a data file: what reading and compiling could not use, and what they accept
/// though it is surely not meant.
public struct LintReport: Sendable, Hashable {
  /// What reading found, then compiling, then the checks, each in file order.
  public let findings: [Finding]
  /// How many flags the file has that can be asked for.
  public let flagCount: Int
  /// How many segments the file has.
  public let segmentCount: Int

  /// Checks a data file.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - sdk: the identity that conditions on the SDK compare with.
  /// - Throws: `DataFileError` if the file cannot be used at all.
  public init(checking bytes: [UInt8], sdk: SDKIdentity) throws(DataFileError) {
    let reading = try DataFile.read(bytes)
    let snapshot = Snapshot(reading.dataFile, sdk: sdk)
    flagCount = snapshot.flagCount
    segmentCount = reading.dataFile.segments.count
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(parsing: bytes)
    } catch {
      throw .malformed(error)
    }
    let unreadable = reading.diagnostics.map {
      Finding(
        code: .unreadable, path: $0.path, message: $0.message,
        advice: "write it as the format asks, or take it out")
    }
    let compiling = snapshot.diagnostics.map(Finding.init(compiling:))
    let never = Set(snapshot.diagnostics.map(\.path))
    findings = unreadable + compiling + Lint.findings(in: document, neverMatching: never)
  }

  /// Whether nothing was found.
  public var isClean: Bool { findings.isEmpty }

  /// How many findings have a severity.
  public func count(_ severity: Finding.Severity) -> Int {
    findings.filter { $0.severity == severity }.count
  }

  /// The report as JSON, with the keys that the README lists.
  public var document: JSONValue {
    [
      "clean": .bool(isClean), "errors": .count(count(.error)),
      "warnings": .count(count(.warning)), "flags": .count(flagCount),
      "segments": .count(segmentCount), "findings": .array(findings.map(\.document)),
    ]
  }
}

extension Finding {
  /// A finding of compiling, told apart by the sentence (a test holds each of them fast).
  fileprivate init(compiling diagnostic: Diagnostic) {
    let kinds: [(mark: String, code: Code, advice: String)] = [
      (
        "does not know the condition type", .unknownConditionType,
        "use a condition that this version knows, or update it"
      ),
      ("invalid regular expression", .invalidPattern, "mend the expression at that offset"),
      (
        "\"version\" is missing or has an unknown value", .invalidVersion,
        "write up to three numbers with dots between them, such as 2.10.1"
      ),
      ("taken as AND", .unreadable, "write true for OR, false for AND"),
      ("no segment has the id", .neverMatches, "add the segment, or take the condition out"),
      ("no flag has the id", .neverMatches, "add the flag, or take the condition out"),
    ]
    let kind = kinds.first { diagnostic.message.contains($0.mark) }
    self.init(
      code: kind?.code ?? .neverMatches, path: diagnostic.path, message: diagnostic.message,
      advice: kind?.advice ?? "fill in what the condition needs, or take it out")
  }
}
