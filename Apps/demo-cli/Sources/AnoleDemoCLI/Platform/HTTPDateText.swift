// SPDX-License-Identifier: Apache-2.0

import AnoleModels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes times as HTTP does: `Mon, 24 Nov 2025 16:00:00 GMT`.
enum HTTPDateText {
  /// The text of a time, cut to the second.
  ///
  /// The program never sets a locale, so that `strftime` uses the English names of the C locale.
  static func text(_ time: Timestamp) -> String {
    var seconds = time_t(time.milliseconds / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
