// SPDX-License-Identifier: Apache-2.0

/// A JSON number that keeps what was written: an exact 64-bit integer, a binary double, or the
/// text of a number that neither can hold.
///
/// A number is never a Boolean, and reading one never rounds an integer or yields infinity.
public enum JSONNumber: Sendable, Hashable {
  /// A number written without fraction and exponent that fits 64 bits.
  case integer(Int64)
  /// A finite number written with a fraction or an exponent (also `-0`).
  case double(Double)
  /// The text of a number outside both ranges, such as `9223372036854775808`, `1e400` or `1e-400`.
  case big(String)

  /// The value as a 64-bit integer where it is one mathematically (`3`, `3.0`, `1e2`); else nil.
  ///
  /// A number written with a fraction or an exponent is judged by its nearest double.
  public var asInteger: Int64? {
    switch self {
    case .integer(let value): value
    case .double(let value): Int64(exactly: value)
    case .big: nil
    }
  }

  /// The nearest double; nil where the number is beyond the range of doubles.
  public var asDouble: Double? {
    switch self {
    case .integer(let value): return Double(value)
    case .double(let value): return value
    case .big(let text):
      guard let value = Double(text), value.isFinite else { return nil }
      return value
    }
  }
}

extension JSONNumber: CustomStringConvertible {
  /// The shortest JSON text that reads back as the same number.
  public var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .big(let text): text
    }
  }
}
