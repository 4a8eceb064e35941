// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEmulator
import AnoleModels
import AnoleNetworking

/// Stands between an application and a platform: passes every request on and writes down what is
/// answered.
final class Recorder: Sendable {
  /// More exchanges are passed on, but not kept.
  static let greatestCount = 10_000

  private let transport: any HTTPTransport
  private let upstream: @Sendable (Route) -> String
  private let time: TimeSource
  private let exchanges = Lock<[Recording.Exchange]>([])

  /// Makes a recorder.
  ///
  /// - Parameters:
  ///   - upstream: the address that answers a route, without a slash at its end.
  init(
    transport: any HTTPTransport, time: TimeSource, upstream: @escaping @Sendable (Route) -> String
  ) {
    self.transport = transport
    self.time = time
    self.upstream = upstream
  }

  /// What was recorded so far, in the order in which requests were answered.
  func recording(siteCode: String) -> Recording {
    Recording(siteCode: siteCode, exchanges: exchanges.withLock { $0 })
  }

  /// Passes a request on; nil if the platform does not answer.
  func respond(_ request: ForwardedRequest) async -> ForwardedAnswer? {
    guard let method = HTTPRequest.Method(rawValue: request.method) else {
      return ForwardedAnswer(status: 405)
    }
    var passed = HTTPRequest(
      method: method, url: upstream(request.route) + request.target,
      headers: Self.headers(of: request), body: method == .post ? request.body : nil,
      timeout: .seconds(60), followsRedirects: false)
    do throws(HTTPError) {
      guard request.route == .stream else {
        let start = time.now
        let response = try await transport.send(passed)
        let delay = (time.now - start).wholeMilliseconds
        return answer(to: request, response, delay: delay)
      }
      // A stream lasts as long as it lasts.
      passed.timeout = nil
      return stream(request, try await transport.open(passed))
    } catch {
      keep(Recording.Exchange(request, Recording.Answer()))
      return nil
    }
  }

  private func answer(
    to request: ForwardedRequest, _ response: HTTPResponse, delay: Int64
  ) -> ForwardedAnswer {
    let fields = Self.fields(of: response.headers)
    keep(
      Recording.Exchange(
        request,
        Recording.Answer(
          status: response.status, fields: fields, body: .bytes(response.body),
          delay: Int(delay))))
    return ForwardedAnswer(
      status: response.status, fields: fields.map { HeaderField($0.name, $0.value) },
      body: .bytes(response.body))
  }

  /// Passes a stream on piece by piece.
  private func stream(_ request: ForwardedRequest, _ stream: HTTPStream) -> ForwardedAnswer {
    let fields = Self.fields(of: stream.headers)
    let position = keep(
      Recording.Exchange(
        request,
        Recording.Answer(
          status: stream.status, fields: fields, body: .stream([], isEnded: false))))
    let (pieces, continuation) = AsyncStream<[UInt8]>.makeStream()
    let reading = Task {
      do {
        for try await piece in stream.body {
          note(String(decoding: piece, as: UTF8.self), at: position)
          continuation.yield(piece)
        }
        note(nil, at: position)
      } catch {
        // The connection was lost, or nobody reads any more.
        note(nil, at: position)
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in reading.cancel() }
    return ForwardedAnswer(
      status: stream.status, fields: fields.map { HeaderField($0.name, $0.value) },
      body: .pieces(pieces))
  }

  /// Keeps an exchange; nil if there are too many.
  @discardableResult
  private func keep(_ exchange: Recording.Exchange) -> Int? {
    exchanges.withLock { exchanges in
      guard exchanges.count < Self.greatestCount else { return nil }
      exchanges.append(exchange)
      return exchanges.count - 1
    }
  }

  /// Adds to a stream; nil ends it.
  private func note(_ piece: String?, at position: Int?) {
    guard let position else { return }
    exchanges.withLock { exchanges in
      guard case .stream(let pieces, _) = exchanges[position].answer.body else { return }
      exchanges[position].answer.body = .stream(
        pieces + (piece.map { [$0] } ?? []), isEnded: piece == nil)
    }
  }

  // MARK: - Header fields

  /// Those that belong to one connection, or that the transport writes itself.
  private static let own: Set<String> = [
    "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive",
    "proxy-connection", "te", "transfer-encoding", "upgrade",
  ]

  private static func headers(of request: ForwardedRequest) -> HTTPHeaders {
    var headers = HTTPHeaders()
    for field in request.fields where !own.contains(field.name.lowercased()) {
      headers.append(name: field.name, value: field.value)
    }
    return headers
  }

  /// Those of an answer, whose body was decoded by the transport.
  private static func fields(of headers: HTTPHeaders) -> [Recording.Field] {
    headers.fields.filter { field in
      let name = field.name.lowercased()
      return !own.contains(name) && name != "content-encoding"
        && HeaderField.isValid(name: field.name, value: field.value)
    }
    .map { Recording.Field(name: $0.name, value: $0.value) }
  }
}

extension Recording.Exchange {
  fileprivate init(_ request: ForwardedRequest, _ answer: Recording.Answer) {
    let target = request.target.split(separator: "?", maxSplits: 1)
    let encoding = request.fields.value(named: "Content-Encoding") ?? ""
    var body = request.body
    if encoding.lowercased() == "gzip" {
      do throws(GzipError) {
        body = try Gzip.decompress(body)
      } catch {
        // Kept as it came.
      }
    }
    self.init(
      route: request.route,
      request: Recording.Request(
        method: request.method, path: target.first.map(String.init) ?? "",
        query: target.count > 1 ? String(target[1]) : "",
        fields: request.fields.map { Recording.Field(name: $0.name, value: $0.value) }, body: body),
      answer: answer)
  }
}
