// SPDX-License-Identifier: Apache-2.0

/// Name and version of the SDK: the same wherever the recordings have their placeholders.
struct SDKPlaceholders: Sendable {
  private var name: String?
  private var version: String?

  /// How an actual value differs from a recorded one, which may be a placeholder.
  mutating func difference(_ expected: String, _ actual: String) -> String? {
    switch expected {
    case "{SDK_NAME}":
      let bound = name ?? actual
      name = bound
      guard !actual.isEmpty else { return "the name of the SDK is empty" }
      return bound == actual ? nil : "the name of the SDK changed from \(bound) to \(actual)"
    case "{SDK_VERSION}":
      let bound = version ?? actual
      version = bound
      guard Self.isVersion(actual) else {
        return "the version of the SDK is not major.minor.patch: \(actual)"
      }
      return bound == actual ? nil : "the version of the SDK changed from \(bound) to \(actual)"
    default:
      let areEqual = expected.utf8.elementsEqual(actual.utf8)
      return areEqual ? nil : "expected \"\(expected)\", got \"\(actual)\""
    }
  }

  private static func isVersion(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 3
      && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
  }
}
