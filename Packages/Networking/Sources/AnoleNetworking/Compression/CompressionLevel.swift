// SPDX-License-Identifier: Apache-2.0

/// How much work compressing may cost: 1 (fast) to 9 (small).
public struct CompressionLevel: Sendable, Hashable {
  /// The level as zlib counts, 1…9.
  public let value: Int

  /// The fastest level, 1.
  public static let fastest = CompressionLevel(known: 1)
  /// The usual compromise, 6.
  public static let balanced = CompressionLevel(known: 6)
  /// The level with the smallest result, 9.
  public static let smallest = CompressionLevel(known: 9)

  /// Makes a level; nil outside 1…9.
  public init?(_ value: Int) {
    guard (1...9).contains(value) else { return nil }
    self.value = value
  }

  private init(known value: Int) {
    self.value = value
  }
}
