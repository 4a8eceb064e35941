// SPDX-License-Identifier: Apache-2.0

extension Fault {
  /// The ordinary answer, later.
  public static func delay(_ duration: Duration) -> Fault {
    Fault(.answer(Changes()), delay: duration)
  }

  /// A status with a sentence as body, for example 503 with `Retry-After`.
  public static func status(_ status: Int, headers: [HeaderField] = []) -> Fault {
    changed {
      $0.status = status
      $0.headers = headers
    }
  }

  /// Another address, as `Location` with a status.
  public static func redirect(to location: String, status: Int = 302) -> Fault {
    self.status(status, headers: [HeaderField("Location", location)])
  }

  /// The connection is closed after a number of bytes of the body.
  public static func cut(afterBytes count: Int) -> Fault { changed { $0.cutAfter = count } }

  /// A `Content-Length` that is not the length of the body.
  public static func announcedLength(_ length: Int) -> Fault {
    changed { $0.announcedLength = length }
  }

  /// Another content type.
  public static func contentType(_ text: String) -> Fault { changed { $0.contentType = text } }

  /// Another body, with status 200 and the route's content type.
  public static func body(_ bytes: [UInt8], contentType: String = "application/json") -> Fault {
    changed {
      $0.body = bytes
      $0.contentType = contentType
    }
  }

  /// An error page as proxies and load balancers send it.
  public static func html(status: Int = 502) -> Fault {
    let page = """
      <!DOCTYPE html>
      <html><head><title>\(status)</title></head><body><h1>\(status)</h1></body></html>

      """
    return changed {
      $0.status = status
      $0.body = Array(page.utf8)
      $0.contentType = "text/html"
    }
  }

  /// The body, a few bytes at a time.
  public static func drip(bytes: Int, every interval: Duration) -> Fault {
    changed { $0.drip = Drip(bytes: bytes, interval: interval) }
  }

  /// The whole answer with its head, a few bytes at a time.
  public static func slowHead(bytes: Int, every interval: Duration) -> Fault {
    changed {
      $0.drip = Drip(bytes: bytes, interval: interval)
      $0.dripsHead = true
    }
  }

  /// Interim answers before the answer.
  public static func interim(_ statuses: Int...) -> Fault { changed { $0.interim = statuses } }

  /// The body in chunks, with fields behind it.
  public static func trailers(_ fields: [HeaderField]) -> Fault { changed { $0.trailers = fields } }

  /// The answer with one more header field of a size.
  public static func largeHead(bytes: Int) -> Fault {
    changed { $0.headers = [HeaderField("X-Large", String(repeating: "x", count: max(0, bytes)))] }
  }

  /// The ordinary body, compressed.
  public static func encoded(_ encoding: ContentEncoding) -> Fault {
    changed { $0.encoding = encoding }
  }

  /// A small body that becomes large when it is decompressed: zeros.
  ///
  /// - Parameters:
  ///   - size: How many bytes it becomes, about 250 to 1,000 times what is sent. Making it takes about a
  ///     second for each 500 MB.
  ///   - encoding: How it is compressed.
  public static func bomb(size: Int, encoding: ContentEncoding = .gzip) -> Fault {
    changed {
      $0.body = encoding.bomb(size: size)
      $0.headers = [encoding.field]
      $0.contentType = "application/json"
    }
  }

  /// The complete answer, after which the connection is closed without announcement.
  public static let closeAfterAnswer = changed { $0.closesAfterwards = true }

  /// No answer until the client closes the connection or the emulator stops.
  public static let neverAnswer = Fault(.neverAnswer)

  /// The connection is closed before the body of the request is read.
  public static let closeBeforeReading = Fault(.closeBeforeReading)

  /// The connection is closed when the request has been read.
  public static let closeAfterReading = Fault(.closeAfterReading)

  /// Bytes written as they are, then the connection is closed.
  public static func raw(_ text: String) -> Fault { Fault(.raw(Array(text.utf8), drip: nil)) }

  private static func changed(_ change: (inout Changes) -> Void) -> Fault {
    var changes = Changes()
    change(&changes)
    return Fault(.answer(changes))
  }
}
