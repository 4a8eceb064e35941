// SPDX-License-Identifier: Apache-2.0

extension Platform {
  /// A request that a function is to answer.
  struct Forwarding: Sendable {
    let request: ForwardedRequest
    let responder: Emulator.Responder
    /// What goes wrong with the answer.
    let fault: Fault?
    let latency: Duration
  }

  /// What is done about a complete request.
  enum Verdict: Sendable {
    case plan(AnswerPlan)
    case forward(Forwarding)
  }

  /// Notes a complete request and decides what is done about it, or lets a function decide.
  mutating func verdict(on request: Request, now: Duration) -> Verdict {
    let route = Route(path: request.head.path)
    let latency = faults.latency(for: route, &random)
    let fault = faults.take(for: route, &random)
    let replaces = fault.map(\.replacesAnswer) ?? false
    guard !replaces, !request.isTooLarge, let responder = responders[route] ?? responders[nil]
    else { return .plan(plan(for: request, now: now, fault: fault, latency: latency)) }
    return .forward(
      Forwarding(
        request: ForwardedRequest(request, route: route), responder: responder, fault: fault,
        latency: latency))
  }

  /// Notes a request that a function has answered.
  mutating func plan(
    for request: Request, _ forwarding: Forwarding, answer: ForwardedAnswer?
  ) -> AnswerPlan {
    var plan = AnswerPlan(action: .close)
    if let answer = answer?.answer {
      plan = forwarding.fault?.plan { answer } ?? AnswerPlan(answer)
    }
    finish(&plan, latency: forwarding.latency)
    if case .answer(let answer, _, _) = plan.action, answer.body == .stream {
      streams.open(request.id, siteCode: request.head.query["siteCode"] ?? "")
    }
    record(
      request, decodedBody(request), route: forwarding.request.route, plan: plan,
      isFaulted: forwarding.fault != nil)
    return plan
  }

  /// Sends bytes on the stream of one exchange.
  mutating func push(_ bytes: [UInt8], onStreamOf id: Int) {
    if streams.push(bytes, on: id) { note(id) }
  }

  /// Ends the stream of one exchange when everything has been sent.
  mutating func endStream(of id: Int) {
    if streams.end(id) { note(id) }
  }
}
