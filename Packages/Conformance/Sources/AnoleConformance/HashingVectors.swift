// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
import AnoleModels

/// Runs `hashing.json`: kind, key, id or group, respool time, first eight bytes, value.
enum HashingVectors {
  static func run(_ cases: [JSONValue], file name: String) -> ConformanceReport.File {
    var file = ConformanceReport.File(name: name)
    for (position, row) in cases.enumerated() {
      if let difference = difference(in: row) {
        file.fail("case \(position + 1)", difference)
      } else {
        file.passed += 1
      }
    }
    return file
  }

  private static func difference(in row: JSONValue) -> String? {
    guard let key = row[1]?.stringValue, let hex = row[4]?.stringValue,
      let expected = row[5]?.doubleValue, let suffix = suffix(of: row)
    else { return "the case does not have the documented columns" }
    let bits = key.withContiguousBytes { key in
      suffix.bytes.withUnsafeBufferPointer { BucketHash.bits(key: key, suffix: $0) }
    }
    let value = BucketHash.value(key: key, suffix: suffix)
    if bits != UInt64(hex, radix: 16) {
      return "expected bytes \(hex), got \(String(bits, radix: 16))"
    }
    return value == expected ? nil : "expected \(expected), got \(value)"
  }

  private static func suffix(of row: JSONValue) -> HashSuffix? {
    switch row[0]?.stringValue {
    case "container":
      return row[2]?.integerValue.map { HashSuffix(id: $0, respoolTime: row[3]?.integerValue) }
    case "group": return row[2]?.stringValue.map(HashSuffix.init(group:))
    default: return nil
    }
  }
}
