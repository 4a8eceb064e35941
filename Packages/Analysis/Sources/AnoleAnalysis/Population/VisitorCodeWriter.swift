// SPDX-License-Identifier: Apache-2.0

/// Writes the codes of visitors one after another into one buffer.
struct VisitorCodeWriter {
  private var bytes: [UInt8]
  private let digits: Int

  /// Begins before a number.
  ///
  /// - Parameters:
  ///   - prefix: how codes begin.
  ///   - number: the number of the first code.
  init(prefix: String, before number: Int) {
    bytes = Array(prefix.utf8)
    digits = bytes.count
    bytes += Array(String(number - 1).utf8)
  }

  /// The next code.
  mutating func next() -> String {
    increment()
    return bytes.withUnsafeBufferPointer { source in
      String(unsafeUninitializedCapacity: source.count) { target in
        _ = target.initialize(from: source)
        return source.count
      }
    }
  }

  /// Adds one to the decimal digits behind the prefix.
  private mutating func increment() {
    var position = bytes.count - 1
    while position >= digits {
      if bytes[position] < UInt8(ascii: "9") {
        bytes[position] += 1
        return
      }
      bytes[position] = UInt8(ascii: "0")
      position -= 1
    }
    bytes.insert(UInt8(ascii: "1"), at: digits)
  }
}
