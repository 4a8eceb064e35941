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
    var plan = AnswerPlan(
      action: .answer(answer, cutAfter: cutAfter, announcedLength: nil), delay: delay, drip: drip,
      closesAfterwards: closesAfterwards)
    if let announcedLength, case .bytes(let body) = answer.body {
      let sent = cutAfter.map { Array(body.prefix($0)) } ?? body
      // libmicrohttpd never sends more than it has announced: that answer is written by hand.
      plan.action =
        announcedLength < sent.count
        ? .raw(answer.written(announcing: announcedLength, body: sent))
        : .answer(answer, cutAfter: cutAfter ?? body.count, announcedLength: announcedLength)
    }
    return plan
  }

  private var replacement: Answer {
    let status = status ?? 200
    if let body { return Answer(status: status, fields: [], body: .bytes(body)) }
    if status == 204 || status == 304 { return .empty(status) }
    return .sentence(status, "The emulator was told to answer with \(status).")
  }
}

extension Answer {
  /// The answer as bytes for the wire.
  fileprivate func written(announcing length: Int, body: [UInt8]) -> [UInt8] {
    var head = "HTTP/1.1 \(status) Scripted\r\n"
    for field in fields { head += "\(field.name): \(field.value)\r\n" }
    head += "Content-Length: \(length)\r\n\r\n"
    return Array(head.utf8) + body
  }
}
