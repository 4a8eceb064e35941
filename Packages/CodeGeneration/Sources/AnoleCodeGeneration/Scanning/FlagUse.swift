// SPDX-License-Identifier: Apache-2.0

/// A place in Swift source that uses a flag, judged by a data file.
public struct FlagUse: Sendable, Hashable {
  /// What the data file says about it.
  public enum Verdict: String, Sendable, Hashable {
    /// The data file has the flag, and the variable.
    case known
    /// The data file has no flag with the key.
    case unknownFlag
    /// The flag has no variable with the key in any variation.
    case unknownVariable
    /// Only running the program would tell which flag it is.
    case cannotBeTold
  }

  /// The file, as it was named.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1, in bytes, as the compiler counts.
  public let column: Int
  /// The function or member that is used.
  public let call: String
  /// The flag's key; nil where it cannot be told.
  public let featureKey: String?
  /// The variable's key; nil if the use is of the flag.
  public let variableKey: String?
  /// What the data file says about it.
  public let verdict: Verdict
}

/// What a scan has found.
public struct ScanReport: Sendable, Hashable {
  /// A key that occurs in the source as a text alone.
  public struct Mention: Sendable, Hashable {
    /// The flag's key.
    public let featureKey: String
    /// The file of the first mention.
    public let file: String
    /// Its line, from 1.
    public let line: Int
  }

  /// All uses, by file as they were added, then by place.
  public let uses: [FlagUse]
  /// The keys of the data file that are used nowhere and mentioned nowhere, sorted.
  public let unused: [String]
  /// The keys of the data file that are not used as far as can be told, but mentioned, sorted.
  public let mentioned: [Mention]
  /// The number of files, without generated ones.
  public let fileCount: Int
  /// The files that were generated from a data file, which use nothing themselves.
  public let generatedFiles: [String]

  /// The uses of what the data file does not have.
  public var unknown: [FlagUse] {
    uses.filter { $0.verdict == .unknownFlag || $0.verdict == .unknownVariable }
  }
}
