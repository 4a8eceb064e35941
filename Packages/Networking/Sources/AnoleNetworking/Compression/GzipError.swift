// SPDX-License-Identifier: Apache-2.0

/// Why bytes could not be compressed or decompressed.
public struct GzipError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, coarse enough to switch over.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind { case corrupt, truncated, tooLarge, ratioExceeded, outOfMemory }
    private let kind: Kind

    /// The input is not of the format, its checksum is wrong, or other bytes follow its end.
    public static let corrupt = Code(kind: .corrupt)
    /// The input ends before its time.
    public static let truncated = Code(kind: .truncated)
    /// The output would be larger than ``DecompressionLimits/maximumSize``.
    public static let tooLarge = Code(kind: .tooLarge)
    /// The output is too large for the size of the input: ``DecompressionLimits/maximumRatio``.
    public static let ratioExceeded = Code(kind: .ratioExceeded)
    /// zlib got no memory for its window of about 256 KiB.
    public static let outOfMemory = Code(kind: .outOfMemory)

    /// The code's name.
    public var description: String { "\(kind)" }
  }

  /// The kind of failure.
  public let code: Code
  /// What was wrong and where, for a log line.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Kind and message.
  public var description: String { "\(code): \(message)" }
}
