// SPDX-License-Identifier: Apache-2.0

/// A version by the vendor's lenient rules (evaluation specification, section 6.1).
///
/// The text is cut at the first `-` or `+`, then split at dots. Up to three components count,
/// missing ones are 0, further ones are ignored; each component must be a run of decimal digits.
/// `1.2` equals `1.2.0`, `1.2.3.4` equals `1.2.3`, `1.2.3-rc.1` equals `1.2.3`.
public struct AppVersion: Sendable, Hashable, Comparable {
  /// The first component.
  ///
  /// A component above the range of 64 bits counts as `UInt64.max`; this holds for all three.
  public let major: UInt64
  /// The second component, or 0.
  public let minor: UInt64
  /// The third component, or 0.
  public let patch: UInt64

  /// Reads a version; nil if it is unreadable, such as `""`, `v1`, `1..2` or `1.x`.
  public init?(_ text: String) {
    let core = text.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }
    var components: [UInt64] = []
    for part in core.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      guard !part.isEmpty, part.allSatisfy(isDigit) else { return nil }
      components.append(UInt64(String(Substring(part))) ?? .max)
    }
    guard let major = components.first else { return nil }
    self.major = major
    self.minor = components.count > 1 ? components[1] : 0
    self.patch = components.count > 2 ? components[2] : 0
  }

  /// Compares major, then minor, then patch, as numbers.
  public static func < (left: AppVersion, right: AppVersion) -> Bool {
    (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
  }

  /// The version reduced to the number "major.minor", read as a decimal: 12.10 becomes 12.1
  /// (section 4.8, browser versions).
  public var majorMinor: Double {
    Double("\(major).\(minor)") ?? Double(major)
  }
}
