// SPDX-License-Identifier: Apache-2.0

/// The media type of an answer, without parameters and in lower case.
struct ContentType: Sendable, Hashable {
  /// Type and subtype, for example `application/json`.
  let mediaType: String

  init(_ header: String) {
    let type = header.utf8.prefix { $0 != UInt8(ascii: ";") }
    let bytes = type.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    mediaType = ASCIIText.lowercased(String(decoding: bytes, as: UTF8.self))
  }

  var isEventStream: Bool { mediaType == "text/event-stream" }

  var isJSON: Bool {
    mediaType == "application/json" || mediaType == "text/json" || mediaType.hasSuffix("+json")
  }
}
