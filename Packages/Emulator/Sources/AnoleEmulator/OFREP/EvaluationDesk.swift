// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
import AnoleModels

/// Who may evaluate flags over the OpenFeature Remote Evaluation Protocol, and how often.
struct EvaluationDesk: Sendable {
  /// The token that is asked for, as bearer token or API key; nil if none is.
  var token: String?
  var limit: RateLimit?

  /// The refusal of a request, or nil.
  mutating func refusal(of head: RequestHead, now: Duration) -> Answer? {
    if let token, !Self.shows(head, token) {
      return .sentence(401, "Evaluating flags needs the token as bearer token or X-API-Key.")
    }
    guard let wait = limit?.wait(at: now) else { return nil }
    var answer = Answer.sentence(429, "Too many evaluations: try again in \(wait) s.")
    answer.set(HeaderField("Retry-After", "\(wait)"))
    return answer
  }

  private static func shows(_ head: RequestHead, _ token: String) -> Bool {
    let bearer = head.fields.value(named: "Authorization")
    let key = head.fields.value(named: "X-API-Key")
    return [bearer, key.map { "Bearer \($0)" }].contains { shown in
      shown.map { ConstantTime.areEqual($0, "Bearer \(token)") } ?? false
    }
  }
}

/// A limit on how many requests are taken in a span of time.
///
/// Spans follow each other; the first begins with the first request.
struct RateLimit: Sendable {
  private let requests: Int
  private let span: Duration
  private var start: Duration?
  private var taken = 0

  init(requests: Int, span: Duration) {
    self.requests = requests
    self.span = span
  }

  /// Takes a request, or says after how many whole seconds to come again.
  mutating func wait(at now: Duration) -> Int64? {
    if let start, now < start + span {
      guard taken >= requests else {
        taken += 1
        return nil
      }
      let (seconds, rest) = (start + span - now).components
      return max(1, rest > 0 ? seconds + 1 : seconds)
    }
    start = now
    taken = 1
    return requests > 0 ? nil : max(1, span.components.seconds)
  }
}

extension Platform {
  /// Answers a request for the evaluation of one flag or all.
  ///
  /// - Parameter body: The decoded body; nil if it does not decode.
  mutating func evaluate(
    _ request: Request, _ body: [UInt8]?, route: Route, now time: Duration
  ) -> Answer {
    if let refusal = evaluationDesk.refusal(of: request.head, now: time) { return refusal }
    let key = Route.flagKey(inPath: request.head.path)
    guard route == .bulkEvaluation || key != nil else {
      return .failure(
        400, "PARSE_ERROR", "the key in the path is not percent-encoded UTF-8", key: "")
    }
    guard let body else {
      return .failure(
        400, "PARSE_ERROR", "the body does not decode by its Content-Encoding", key: key)
    }
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: body)
    } catch {
      return .failure(400, "PARSE_ERROR", "the body is not JSON: \(error)", key: key)
    }
    guard let context = json["context"] else {
      return .failure(
        400, "INVALID_CONTEXT", "the body must be an object with the member context", key: key)
    }
    let served: ServedSnapshot
    switch compiled(request.head.query) {
    case .success(let snapshot): served = snapshot
    case .failure(let failure): return failure.answer
    }
    do throws(EvaluationContextError) {
      let context = try EvaluationContext(context, served.snapshot, now: now)
      let evaluator = FlagEvaluator(served, context)
      guard let key else { return .bulk(evaluator, to: request.head) }
      guard let evaluation = evaluator.evaluate(key) else {
        return .failure(
          404, "FLAG_NOT_FOUND", "no flag has the key \(key.debugDescription)", key: key)
      }
      return .json(Array(evaluation.text().utf8))
    } catch {
      return .failure(400, error.code.rawValue, error.message, key: key)
    }
  }

  /// What evaluation decides by, or the answer that there is nothing.
  private mutating func compiled(_ query: Query) -> Result<ServedSnapshot, NothingToDecideBy> {
    do throws(DataFileError) {
      let served = try servedSnapshot(
        siteCode: query.text("siteCode"), environment: query.text("environment"))
      if let served { return .success(served) }
      return .failure(NothingToDecideBy(reason: "no data file is set"))
    } catch {
      return .failure(NothingToDecideBy(reason: "\(error)"))
    }
  }
}

/// Why nothing can be evaluated.
private struct NothingToDecideBy: Error {
  let reason: String

  var answer: Answer {
    let json: JSONValue = ["errorDetails": .string(reason)]
    return .json(Array(json.text().utf8), status: 500)
  }
}

extension Answer {
  /// A failed evaluation.
  ///
  /// - Parameter key: The flag; nil for all flags.
  fileprivate static func failure(
    _ status: Int, _ code: String, _ details: String, key: String?
  ) -> Answer {
    var members: [JSONValue.Member] = []
    if let key { members.append(.init(key: "key", value: .string(key))) }
    members.append(.init(key: "errorCode", value: .string(code)))
    members.append(.init(key: "errorDetails", value: .string(details)))
    return .json(Array(JSONValue.object(members).text().utf8), status: status)
  }

  /// All flags, or 304 where the client has exactly this answer.
  fileprivate static func bulk(_ evaluator: FlagEvaluator, to head: RequestHead) -> Answer {
    var members: [JSONValue.Member] = [.init(key: "flags", value: evaluator.evaluateAll())]
    if let ignored = evaluator.ignored {
      members.append(.init(key: "metadata", value: ["ignored": ignored]))
    }
    let body = Array(JSONValue.object(members).text().utf8)
    let digest = SHA256.digest(of: body).prefix(16).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    let tag = HeaderField("ETag", "\"\(digest.joined())\"")
    if let known = head.fields.value(named: "If-None-Match"),
      EntityTag.list(known, contains: tag.value)
    {
      return .empty(304, fields: [tag, HeaderField("Content-Length", "\(body.count)")])
    }
    var answer = Answer.json(body)
    answer.set(tag)
    return answer
  }
}
