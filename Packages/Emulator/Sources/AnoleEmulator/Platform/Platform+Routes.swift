// SPDX-License-Identifier: Apache-2.0

extension Platform {
  /// The ordinary answer of a route.
  ///
  /// - Parameter body: the decoded body; nil if it does not decode.
  mutating func answer(
    to request: Request, _ body: [UInt8]?, route: Route, now: Duration
  ) -> Answer {
    let head = request.head
    if request.isTooLarge {
      return .sentence(413, "The body is larger than \(maximumBodyBytes) bytes.")
    }
    guard let method = route.method else {
      return .sentence(404, "The platform has no \(head.path); see the README for its routes.")
    }
    guard head.method == method else {
      var answer = Answer.sentence(405, "\(head.path) answers \(method), not \(head.method).")
      answer.set(HeaderField("Allow", method))
      return answer
    }
    if route.isDeviceAPI {
      return remoteFlags.answer(to: request, body: body, route: route)
    }
    if route.isEvaluation { return evaluate(request, body, route: route, now: now) }
    let query = head.query
    if route != .dataFile, query.text("siteCode") == nil {
      return .sentence(400, "\(head.path) needs the query parameter siteCode.")
    }
    switch route {
    case .dataFile: return dataFile(head, query)
    case .stream: return stream(request, query)
    case .token: return tokens.issue(to: request, now: now)
    case .tracking, .remoteData, .visitorData:
      if let refusal = tokens.refusal(of: head, now: now) { return refusal }
      if route == .tracking { return tracking(body) }
      return route == .remoteData ? remoteData(query) : visitorData(query)
    case .featureFlags, .registerUser, .registerDevice, .postEvent, .evaluation, .bulkEvaluation,
      .unknown:
      return .sentence(404, "The platform has no \(head.path).")
    }
  }

  private func dataFile(_ head: RequestHead, _ query: Query) -> Answer {
    let siteCode = Route.siteCode(inPath: head.path) ?? ""
    let environment = query.text("environment")
    guard let file = dataFiles.file(siteCode: siteCode, environment: environment) else {
      return .sentence(404, "No data file is set for this site code and environment.")
    }
    return file.answer(to: head, lastModified: file.lastModified.map(skewed))
  }

  private mutating func stream(_ request: Request, _ query: Query) -> Answer {
    streams.open(request.id, siteCode: query["siteCode"] ?? "")
    return Answer(
      status: 200,
      fields: [
        HeaderField("Content-Type", "text/event-stream"), HeaderField("Cache-Control", "no-cache"),
      ],
      body: .stream)
  }

  private func tracking(_ body: [UInt8]?) -> Answer {
    guard body != nil else {
      return .sentence(400, "The body does not decode by its Content-Encoding.")
    }
    return .empty(204)
  }

  private func remoteData(_ query: Query) -> Answer {
    guard let key = query.text("key") else {
      return .sentence(400, "/map/map needs the query parameter key.")
    }
    guard let value = remoteData[key] else {
      return .sentence(404, "No remote data is set for this key.")
    }
    return .json(value)
  }

  private func visitorData(_ query: Query) -> Answer {
    guard let visitor = query.text("visitorCode") ?? query.text("mappingValue") else {
      return .sentence(400, "/visit/visitor needs visitorCode or mappingValue.")
    }
    return .json(visitorData[visitor] ?? Array("{}".utf8))
  }
}
