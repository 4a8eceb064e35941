// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  /// A request as it came over the wire to a ``LoopbackServer``.
  public struct LoopbackRequest: Sendable, Hashable {
    /// The request line without its end.
    public let line: String
    /// The header lines in their order.
    public let headers: [String]
    /// The bytes after the head.
    public let body: [UInt8]
    /// Everything, byte by byte.
    public let raw: [UInt8]

    /// The values of a header, whatever the case of its name; without the blanks before them.
    public func values(of name: String) -> [String] {
      headers.compactMap { line in
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
        return String(parts[1].drop { $0 == " " })
      }
    }

    /// The body as UTF-8.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }
  }
#endif
