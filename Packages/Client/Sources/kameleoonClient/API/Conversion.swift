// SPDX-License-Identifier: Apache-2.0

/// A goal that the visitor reached.
public struct Conversion: KameleoonData, Hashable {
  /// The goal's id.
  public let goalId: Int
  /// The revenue in the project's currency.
  public let revenue: Double
  /// Whether the revenue is taken back.
  public let negative: Bool
  /// Custom data that go with this conversion only; of two with one index the first counts.
  public let metadata: [CustomData]

  /// Makes a conversion.
  ///
  /// - Parameters:
  ///   - goalId: The goal's id.
  ///   - revenue: The revenue in the project's currency.
  ///   - negative: Whether the revenue is taken back.
  ///   - metadata: Custom data that go with this conversion only.
  public init(
    goalId: Int, revenue: Double = 0, negative: Bool = false, metadata: CustomData...
  ) {
    self.init(goalId: goalId, revenue: revenue, negative: negative, metadata: metadata)
  }

  /// Makes a conversion.
  ///
  /// - Parameters:
  ///   - goalId: The goal's id.
  ///   - revenue: The revenue in the project's currency.
  ///   - negative: Whether the revenue is taken back.
  ///   - metadata: Custom data that go with this conversion only.
  public init(
    goalId: Int, revenue: Double = 0, negative: Bool = false, metadata: [CustomData]
  ) {
    self.goalId = goalId
    self.revenue = revenue
    self.negative = negative
    self.metadata = metadata
  }
}
