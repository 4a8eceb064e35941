// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension ControlEndpoint {
  static func readJournal(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow("route", "after")
    let route = try arguments.route()
    let sequence = try arguments.integer("after", in: 0...Int64.max) ?? 0
    let requests = platform.journal.requests(route, after: sequence)
    return [
      "count": .number(.integer(Int64(platform.journal.count(route)))),
      "requests": .array(requests.map(\.json)),
    ]
  }

  static func clearJournal(
    _ arguments: ControlArguments, _ platform: inout Platform
  ) throws(ControlError) -> JSONValue {
    try arguments.allow()
    platform.journal.clear()
    return [:]
  }
}

extension RecordedRequest {
  /// The request as the control endpoint shows it.
  var json: JSONValue {
    var members: [JSONValue.Member] = []
    func add(_ key: String, _ value: JSONValue) { members.append(.init(key: key, value: value)) }
    add("sequence", .number(.integer(Int64(sequence))))
    add("route", .string(route.rawValue))
    add("method", .string(method))
    add("target", .string(target))
    add("version", .string(version))
    add("headers", .array(fields.map { [.string($0.name), .string($0.value)] }))
    add("complete", .bool(isComplete))
    add("status", status.map { .number(.integer(Int64($0))) } ?? .null)
    add("faulted", .bool(isFaulted))
    if !body.isEmpty {
      add("bodyBase64", .string(Base64.encode(body)))
      add("text", decodedBody == nil ? .null : .string(text))
    }
    if let tracking {
      add("events", .array(tracking.events.map { .object($0.parameters.map(\.member)) }))
      add("findings", .array(tracking.findings.map(\.json)))
    }
    return .object(members)
  }
}

extension Parameter {
  fileprivate var member: JSONValue.Member { .init(key: name, value: .string(value)) }
}

extension TrackingFinding {
  fileprivate var json: JSONValue {
    [
      "line": .number(.integer(Int64(line))), "kind": .string(kind.description),
      "message": .string(message),
    ]
  }
}

extension Platform {
  /// The state at a glance, as the control endpoint shows it.
  var summary: JSONValue {
    let counts = Route.allCases.map { route in
      JSONValue.Member(
        key: route.rawValue, value: .number(.integer(Int64(journal.count(route)))))
    }
    let pending = Route.allCases.filter { faults.pending(for: $0) != 0 }.map { route in
      JSONValue.Member(
        key: route.rawValue, value: .number(.integer(Int64(faults.pending(for: route)))))
    }
    return [
      "dataFiles": .number(.integer(Int64(dataFiles.count))),
      "openStreams": .number(.integer(Int64(streams.count))),
      "heldRequests": .number(.integer(Int64(heldExchanges.count))),
      "requests": .object(counts),
      "faults": .object(pending),
    ]
  }
}
