// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Fetches a JSON document, and only if it has changed since the copy at hand.
///
/// | answer | outcome |
/// | --- | --- |
/// | 2xx with a document that is read | `changed`, with the validators of this answer |
/// | 304 to a conditional request | `unchanged` |
/// | 304 to a request without condition | failure; the next attempt has no condition either |
/// | 403 | failure without another attempt |
/// | 2xx that is not JSON, not a JSON object, empty or unreadable | failure |
/// | any other status, no answer | failure |
///
/// A failure is tried again by the policy, at once for the data file. Any thread may call.
public struct ConditionalFetch: Sendable {
  /// What a fetch gave.
  public enum Outcome<Document: Sendable>: Sendable {
    /// A new document. The validators belong to it and replace the former ones, also if there are
    /// none.
    case changed(Document, CacheValidators)
    /// The copy at hand is the newest.
    case unchanged
  }

  /// How much of a server's text is shown in an error; real content types are shorter.
  private static let shownLength = 80

  private let transport: any HTTPTransport
  private let policy: RetryPolicy
  private let time: TimeSource

  /// Makes a fetcher.
  public init(
    transport: any HTTPTransport, policy: RetryPolicy = .configuration,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.transport = transport
    self.policy = policy
    time = TimeSource(clock)
  }

  /// Fetches.
  ///
  /// - Parameters:
  ///   - request: The request without conditions.
  ///   - validators: Those of the copy at hand. Nil if there is no copy, even if its validators
  ///     have survived it.
  ///   - read: Turns the bytes into the document; whatever it throws is a failure.
  /// - Throws: ``ConditionalFetchError`` of the last attempt.
  public func fetch<Document: Sendable>(
    _ request: HTTPRequest, validators: CacheValidators?,
    read: @Sendable ([UInt8]) throws -> Document
  ) async throws(ConditionalFetchError) -> Outcome<Document> {
    var request = request
    validators?.add(to: &request.headers)
    let isConditional = validators.map { !$0.isEmpty } ?? false
    var attemptsLeft = policy.attempts
    while true {
      attemptsLeft -= 1
      do throws(ConditionalFetchError) {
        let response = try await answer(to: request)
        return try judge(response, isConditional: isConditional, read: read)
      } catch {
        let isFinal = error.code == .forbidden || error.code == .cancelled || Task.isCancelled
        guard attemptsLeft > 0, !isFinal else { throw error }
      }
      guard policy.pause > .zero else { continue }
      do { try await time.sleep(for: policy.pause) } catch {
        throw ConditionalFetchError(.cancelled, "the fetch was cancelled")
      }
    }
  }

  private func answer(
    to request: HTTPRequest
  ) async throws(ConditionalFetchError) -> HTTPResponse {
    do {
      return try await transport.send(request)
    } catch {
      throw ConditionalFetchError(error.code == .cancelled ? .cancelled : .failed, "\(error)")
    }
  }

  private func judge<Document>(
    _ response: HTTPResponse, isConditional: Bool, read: ([UInt8]) throws -> Document
  ) throws(ConditionalFetchError) -> Outcome<Document> {
    switch response.status {
    case 304 where isConditional: return .unchanged
    case 304:
      throw ConditionalFetchError(.notModifiedWithoutCopy, "not modified without stored copy")
    case 403:
      throw ConditionalFetchError(.forbidden, "status 403; the user agent may look like a bot's")
    case 200...299: break
    default: throw ConditionalFetchError(.refused, "status \(response.status)")
    }
    if let type = response.headers["Content-Type"], !ContentType(type).isJSON {
      let shown = ContentType(type).mediaType.prefix(Self.shownLength)
      throw ConditionalFetchError(.wrongContentType, "the content type is \(shown), not JSON")
    }
    guard JSONShape.isObjectWithMembers(response.body) else {
      throw ConditionalFetchError(.emptyDocument, "the answer is no JSON object with members")
    }
    do {
      return .changed(try read(response.body), CacheValidators(response.headers))
    } catch {
      throw ConditionalFetchError(.unreadable, "the document cannot be read: \(error)")
    }
  }
}
