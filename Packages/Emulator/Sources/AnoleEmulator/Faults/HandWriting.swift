// SPDX-License-Identifier: Apache-2.0

/// An answer as bytes for the wire, for what libmicrohttpd cannot or will not send.
///
/// The connection ends after it, and it says nothing of that.
struct HandWriting {
  /// The largest head that is left to the library, which has 128 KiB for each connection.
  private static let largestHead = 64 << 10

  let interim: [Int]
  let trailers: [HeaderField]
  let announcedLength: Int?
  let cutAfter: Int?

  /// Whether the library cannot send an answer.
  func isNeeded(for answer: Answer, body: [UInt8]) -> Bool {
    let head = answer.fields.reduce(0) { $0 + $1.name.utf8.count + $1.valueBytes.count + 4 }
    // The library never sends more than it has announced.
    let isShort = announcedLength.map { $0 < min(body.count, cutAfter ?? .max) } ?? false
    return !interim.isEmpty || !trailers.isEmpty || isShort || head > Self.largestHead
  }

  /// The bytes of an answer.
  func bytes(of answer: Answer, body: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for status in interim { bytes += Self.head(status, fields: []) }
    let sent = body.prefix(cutAfter ?? .max)
    let isCut = sent.count < body.count
    guard answer.mayHaveBody else { return bytes + Self.head(answer.status, fields: answer.fields) }
    guard trailers.isEmpty else {
      let framing = HeaderField("Transfer-Encoding", "chunked")
      bytes += Self.head(answer.status, fields: answer.fields, framing: framing)
      // A chunk of no bytes would be the end.
      if !body.isEmpty { bytes += Array("\(String(body.count, radix: 16))\r\n".utf8) + sent }
      if isCut { return bytes }
      let end = (body.isEmpty ? "" : "\r\n") + "0\r\n" + Self.lines(trailers) + "\r\n"
      return bytes + Array(end.utf8)
    }
    let length = HeaderField("Content-Length", "\(announcedLength ?? body.count)")
    return bytes + Self.head(answer.status, fields: answer.fields, framing: length) + sent
  }

  private static func head(_ status: Int, fields: [HeaderField], framing: HeaderField? = nil)
    -> [UInt8]
  {
    let others = fields.filter {
      framing == nil || (!$0.isNamed("Content-Length") && !$0.isNamed("Transfer-Encoding"))
    }
    let all = others + (framing.map { [$0] } ?? [])
    return Array("HTTP/1.1 \(status) Scripted\r\n\(lines(all))\r\n".utf8)
  }

  private static func lines(_ fields: [HeaderField]) -> String {
    fields.map { "\($0.name): \($0.value)\r\n" }.joined()
  }
}

extension Answer {
  /// Whether an answer of such a status has a body, even an empty one.
  var mayHaveBody: Bool { status >= 200 && status != 204 && status != 304 }
}
