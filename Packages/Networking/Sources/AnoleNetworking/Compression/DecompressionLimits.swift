// SPDX-License-Identifier: Apache-2.0

/// How much decompressing may produce, against input made to fill the memory.
public struct DecompressionLimits: Sendable, Hashable {
  /// The most bytes of output.
  public var maximumSize: Int
  /// The most bytes of output for each byte of input; checked once the output is larger than
  /// ``ratioFloor``.
  ///
  /// Deflate reaches 1,032.
  public var maximumRatio: Int

  /// 64 MiB, 250 to 1: far above any data file (which compresses 5 to 20 times), far below what
  /// hurts.
  public static let standard = DecompressionLimits()
  /// Output up to this size is never refused for its ratio: short runs of equal bytes are harmless
  /// and compress a thousand times.
  public static let ratioFloor = 1 << 20
  /// The default of ``maximumSize``.
  public static let defaultMaximumSize = HTTPRequest.defaultMaximumBodySize
  /// The default of ``maximumRatio``.
  public static let defaultMaximumRatio = 250

  /// Makes limits; values below 1 count as 1.
  public init(
    maximumSize: Int = DecompressionLimits.defaultMaximumSize,
    maximumRatio: Int = DecompressionLimits.defaultMaximumRatio
  ) {
    self.maximumSize = max(1, maximumSize)
    self.maximumRatio = max(1, maximumRatio)
  }

  /// Why these totals are too much; nil if they are not.
  func violation(produced: Int, consumed: Int) -> GzipError? {
    guard produced <= maximumSize else {
      return GzipError(.tooLarge, "the output is larger than the limit of \(maximumSize) bytes")
    }
    guard produced > Self.ratioFloor, produced / maximumRatio > consumed else { return nil }
    return GzipError(
      .ratioExceeded, "\(consumed) bytes of input gave more than \(maximumRatio) times as many")
  }
}
