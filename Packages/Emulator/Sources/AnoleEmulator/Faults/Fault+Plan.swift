// SPDX-License-Identifier: Apache-2.0

extension Fault {
  /// Whether the route's own work is left undone.
  var replacesAnswer: Bool {
    switch action {
    case .answer(let changes): changes.status != nil || changes.body != nil
    case .neverAnswer, .closeBeforeReading, .closeAfterReading, .raw: true
    }
  }

  /// What is done about a request.
  ///
  /// - Parameter answer: The ordinary answer; not called where the fault replaces it.
  func plan(_ answer: () -> Answer) -> AnswerPlan {
    switch action {
    case .answer(let changes): changes.plan(answer, replacing: replacesAnswer, delay: delay)
    case .neverAnswer: AnswerPlan(action: .never)
    case .closeBeforeReading, .closeAfterReading: AnswerPlan(action: .close, delay: delay)
    case .raw(let bytes, let drip): AnswerPlan(action: .raw(bytes), delay: delay, drip: drip)
    }
  }
}

extension Fault.Changes {
  fileprivate func plan(
    _ ordinary: () -> Answer, replacing: Bool, delay: Duration
  ) -> AnswerPlan {
    var answer = replacing ? replacement : ordinary()
    if let contentType { answer.set(HeaderField("Content-Type", contentType)) }
    for header in headers { answer.set(header) }
    if let encoding, answer.mayHaveBody, case .bytes(let body) = answer.body {
      answer.body = .bytes(encoding.encode(body))
      answer.set(encoding.field)
    }
    return AnswerPlan(
      action: action(answer), delay: delay, drip: drip, closesAfterwards: closesAfterwards)
  }

  private func action(_ answer: Answer) -> AnswerPlan.Action {
    guard case .bytes(let body) = answer.body else {
      return .answer(answer, cutAfter: cutAfter, announcedLength: nil)
    }
    let writing = HandWriting(
      interim: interim, trailers: trailers, announcedLength: announcedLength, cutAfter: cutAfter)
    if dripsHead || writing.isNeeded(for: answer, body: body) {
      return .raw(writing.bytes(of: answer, body: body))
    }
    guard let announcedLength else {
      return .answer(answer, cutAfter: cutAfter, announcedLength: nil)
    }
    return .answer(answer, cutAfter: cutAfter ?? body.count, announcedLength: announcedLength)
  }

  private var replacement: Answer {
    let status = status ?? 200
    if let body { return Answer(status: status, fields: [], body: .bytes(body)) }
    if status == 204 || status == 304 { return .empty(status) }
    return .sentence(status, "The emulator was told to answer with \(status).")
  }
}
