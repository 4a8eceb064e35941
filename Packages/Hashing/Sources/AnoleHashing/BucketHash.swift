// SPDX-License-Identifier: Apache-2.0

public import CAnoleSHA256

/// The number between 0 and 1 that places a visitor.
///
/// Evaluation specification 2.1: SHA-256 over the key's UTF-8 and the suffix, of which the first
/// eight bytes, read as a big-endian number, are divided by 2^64. The same key and suffix give the
/// same value on every machine, for ever.
///
/// All functions are pure and may be called from any thread. None allocates, waits or fails.
/// Messages of up to 55 bytes (key and suffix together) take one SHA-256 block, longer ones one
/// more for every 64 bytes.
public enum BucketHash: Sendable {
  /// Hashes a key with a suffix.
  ///
  /// - Parameters:
  ///   - key: The hash key's UTF-8, of any length.
  ///   - suffix: The bytes of a ``HashSuffix``.
  /// - Returns: The first eight digest bytes as a big-endian integer (2.1, step 4).
  @inlinable
  @inline(__always)
  public static func bits(
    key: UnsafeBufferPointer<UInt8>, suffix: UnsafeBufferPointer<UInt8>
  ) -> UInt64 {
    anole_bucket_bits(key.baseAddress, key.count, suffix.baseAddress, suffix.count)
  }

  /// Hashes a key with a suffix and scales the result.
  ///
  /// - Parameters:
  ///   - key: The hash key's UTF-8, of any length.
  ///   - suffix: The bytes of a ``HashSuffix``.
  /// - Returns: A number from 0 to 1; 1 itself is possible, for the very largest hashes.
  @inlinable
  @inline(__always)
  public static func value(
    key: UnsafeBufferPointer<UInt8>, suffix: UnsafeBufferPointer<UInt8>
  ) -> Double {
    value(bits: bits(key: key, suffix: suffix))
  }

  /// Hashes a text with a suffix and scales the result.
  ///
  /// A string that is not stored as contiguous UTF-8 (one bridged from Objective-C) is copied
  /// first; native strings are read in place.
  ///
  /// - Parameters:
  ///   - key: The hash key. Its UTF-8 is taken as it is: `é` as one scalar and `é` as two are
  ///     different keys although Swift calls the strings equal.
  ///   - suffix: What follows the key.
  /// - Returns: A number from 0 to 1; 1 itself is possible, for the very largest hashes.
  @inlinable
  public static func value(key: String, suffix: HashSuffix) -> Double {
    var key = key
    return key.withUTF8 { key in
      suffix.bytes.withUnsafeBufferPointer { suffix in
        value(key: key, suffix: suffix)
      }
    }
  }

  /// Hashes one key with two suffixes, for less than the price of two calls.
  ///
  /// The two computations run beside each other on processors with SHA instructions. Use it where
  /// both values are certain to be needed, such as admission and variation of a split rule.
  ///
  /// - Parameters:
  ///   - key: The hash key's UTF-8, of any length.
  ///   - first: The bytes of one ``HashSuffix``.
  ///   - second: The bytes of another.
  /// - Returns: The two values, each as from ``value(key:suffix:)-(UnsafeBufferPointer<UInt8>,_)``.
  @inlinable
  @inline(__always)
  public static func values(
    key: UnsafeBufferPointer<UInt8>, first: UnsafeBufferPointer<UInt8>,
    second: UnsafeBufferPointer<UInt8>
  ) -> (first: Double, second: Double) {
    var bits: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &bits) { raw in
      anole_bucket_bits_pair(
        key.baseAddress, key.count, first.baseAddress, first.count, second.baseAddress,
        second.count, raw.baseAddress?.assumingMemoryBound(to: UInt64.self))
    }
    return (value(bits: bits.0), value(bits: bits.1))
  }

  /// Scales a hash to the range from 0 to 1.
  ///
  /// - Parameter bits: The result of ``bits(key:suffix:)``.
  /// - Returns: `bits` / 2^64, rounded once to the nearest `Double` (2.1, step 5). The largest
  ///   1,024 integers round up to 1.
  @inlinable
  @inline(__always)
  public static func value(bits: UInt64) -> Double {
    Double(bits) * 0x1p-64
  }
}
