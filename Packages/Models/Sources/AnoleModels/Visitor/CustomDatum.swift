// SPDX-License-Identifier: Apache-2.0

/// The values a visitor has for one custom data index.
public struct CustomDatum: Sendable, Hashable {
  /// One value, read once as text and as number.
  public struct Value: Sendable, Hashable {
    /// The text, for comparison byte by byte.
    public let text: MatchText
    /// The number the text spells; NaN if it spells none.
    public let number: Double

    init(_ string: String) {
      text = MatchText(string)
      number = LenientNumber.parse(string) ?? .nan
    }

    /// Whether the texts are equal; the number follows from the text.
    public static func == (left: Value, right: Value) -> Bool { left.text == right.text }

    /// Feeds the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  /// The index, from 0.
  public let index: Int
  /// The first value; nil for a datum without values, which counts as present all the same.
  public var first: Value? { hasValues ? firstValue : nil }
  /// Whether there is a value at all.
  public let hasValues: Bool
  /// The first value, or an empty one; not optional, so that it can be read in place.
  public let firstValue: Value
  /// The other values in their order.
  public let others: [Value]
  /// A parameter of the tracking event: whether the server replaces what it has.
  public let isOverwriting: Bool
  /// Whether the datum carries the cross-device user id; it is sent with every request then.
  public let isMappingIdentifier: Bool
  /// When the datum was added.
  public let time: Timestamp
  /// Whether nothing is waiting to be sent.
  public internal(set) var isSent: Bool

  init(
    index: Int, values: [String], isOverwriting: Bool, isMappingIdentifier: Bool,
    time: Timestamp, isSent: Bool
  ) {
    self.index = index
    hasValues = !values.isEmpty
    firstValue = Value(values.first ?? "")
    others = values.dropFirst().map(Value.init)
    self.isOverwriting = isOverwriting
    self.isMappingIdentifier = isMappingIdentifier
    self.time = time
    self.isSent = isSent
  }

  /// The values as given.
  public var values: [String] {
    (first.map { [$0.text.string] } ?? []) + others.map(\.text.string)
  }
}
