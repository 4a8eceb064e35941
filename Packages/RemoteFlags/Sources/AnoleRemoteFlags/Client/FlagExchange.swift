// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking

/// Sends requests of the device API and sorts their answers.
struct FlagExchange: Sendable {
  /// The largest answer that is read (RF-81).
  static let largestBody = 4 << 20
  /// The platform default of the vendor's client.
  static let timeout = Duration.seconds(60)

  let transport: any HTTPTransport
  let wallClock: WallClock

  /// A failure, and how long the server wants to be left alone.
  struct Failure: Error {
    let error: RemoteFlagsError
    var retryAfter: Duration?
  }

  /// Sends a request and reads an answer with status 200.
  ///
  /// The body is read as a stream, so that a transfer that breaks still tells its status (RF-72).
  func send(
    _ url: String, headers: HTTPHeaders, body: [UInt8]
  ) async throws(Failure) -> [UInt8] {
    var request = HTTPRequest(
      method: .post, url: url, headers: headers, body: body, timeout: Self.timeout,
      maximumBodySize: Self.largestBody)
    request.followsRedirects = false
    let stream: HTTPStream
    do {
      stream = try await transport.open(request)
    } catch {
      throw Failure(error: .noAnswer(error.message))
    }
    guard stream.status == 200 else {
      throw Failure(
        error: .status(stream.status),
        retryAfter: RetryAfter.delay(
          status: stream.status, headers: stream.headers, now: wallClock,
          atMost: FlagPlan.longestHold))
    }
    var bytes: [UInt8] = []
    do {
      for try await piece in stream.body {
        guard bytes.count + piece.count <= Self.largestBody else {
          throw Failure(error: .unusable("the answer is larger than \(Self.largestBody) bytes"))
        }
        bytes += piece
      }
    } catch let error as Failure {
      throw error
    } catch let error as HTTPError {
      throw Failure(error: .unusable("the answer broke off: \(error.message)"))
    } catch {
      throw Failure(error: .unusable("the answer broke off"))
    }
    // A stream may end early without an error when its task was cancelled.
    if Task.isCancelled { throw Failure(error: .noAnswer("the request was cancelled")) }
    return bytes
  }
}
