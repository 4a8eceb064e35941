// SPDX-License-Identifier: Apache-2.0

extension Wording {
  /// A span in its largest whole unit: `3 minutes`; never less than nothing.
  static func span(milliseconds: Int64) -> String {
    let seconds = Int(max(0, milliseconds) / 1000)
    switch seconds {
    case ..<60: return count(seconds, "second")
    case ..<3600: return count(seconds / 60, "minute")
    case ..<(48 * 3600): return count(seconds / 3600, "hour")
    default: return count(seconds / 86_400, "day")
    }
  }

  /// An amount of memory: `4,456 bytes`, and from a mebibyte on `12 MiB`.
  static func bytes(_ bytes: Int) -> String {
    bytes < 1 << 20 ? count(bytes, "byte") : "\(grouped(bytes >> 20)) MiB"
  }
}
