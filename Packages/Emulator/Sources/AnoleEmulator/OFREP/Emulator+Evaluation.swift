// SPDX-License-Identifier: Apache-2.0

extension Emulator {
  /// Sets the token that evaluation over the OpenFeature Remote Evaluation Protocol asks for.
  ///
  /// - Parameter token: Shown as bearer token or as `X-API-Key`; nil, as at first, for none.
  public func setEvaluationToken(_ token: String?) {
    core.change { $0.evaluationDesk.token = token }
  }

  /// Limits how many evaluation requests are taken; more are answered with 429 and `Retry-After`.
  ///
  /// Spans follow each other on the emulator's clock; the first begins with the first request.
  /// - Parameters:
  ///   - requests: How many in each span; nil, as at first, for any number.
  ///   - span: How long a span is.
  public func setEvaluationLimit(requests: Int?, per span: Duration = .seconds(1)) {
    core.change {
      $0.evaluationDesk.limit = requests.map { RateLimit(requests: $0, span: span) }
    }
  }
}
