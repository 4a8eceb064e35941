// SPDX-License-Identifier: Apache-2.0

import CAnoleControlPage

/// The page for people: files that are compiled into the program.
enum ControlPage {
  private static let prefix = "/_page/"
  private static let start = "index.html"

  /// A file of the page.
  struct File {
    let name: String
    let contentType: String
    let bytes: [UInt8]
  }

  static let files: [File] = (0..<anole_page_file_count()).map { position in
    let file = anole_page_file(position)
    return File(
      name: String(cString: file.name), contentType: String(cString: file.type),
      bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
  }

  /// Nothing but what comes from here is loaded, run or asked, and no other page frames this one.
  private static let policy = [
    "default-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    "object-src 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
  ].joined(separator: "; ")

  /// Whether a path is the page's or one of its files'.
  static func isPage(_ path: String) -> Bool { path == "/" || path.hasPrefix(prefix) }

  /// Answers a request for a file.
  static func answer(to request: Request) throws(ControlError) -> Answer {
    let head = request.head
    guard head.method == "GET" || head.method == "HEAD" else {
      throw ControlError(405, "The page takes GET and HEAD, not \(head.method).")
    }
    let name = head.path == "/" ? start : String(head.path.dropFirst(prefix.count))
    guard let file = files.first(where: { $0.name == name }) else {
      throw ControlError(404, "The page has no file \(name.debugDescription); it begins at /.")
    }
    return Answer(
      status: 200,
      fields: [
        HeaderField("Content-Type", file.contentType),
        HeaderField("Content-Security-Policy", policy),
        HeaderField("X-Content-Type-Options", "nosniff"),
        HeaderField("Cache-Control", "no-store"),
        HeaderField("Referrer-Policy", "no-referrer"),
        HeaderField("Cross-Origin-Resource-Policy", "same-origin"),
      ],
      body: .bytes(file.bytes))
  }
}
