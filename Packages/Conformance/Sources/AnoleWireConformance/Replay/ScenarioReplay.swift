// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleNetworking
import AnoleWireRecordings

/// Replays one recording and compares everything.
struct ScenarioReplay {
  /// Recordings whose notes say that it does not count which visitor travels in which exchange.
  private static let pools: [String: Set<Int>] = [
    "batch_size_limit": [1, 2], "failure_probe_mode": [3, 4],
  ]

  let recording: WireRecording
  /// What sends the requests in the end.
  let inner: any HTTPTransport

  /// Replays the scenario.
  ///
  /// - Returns: what was found wrong, first things first; empty if nothing was.
  func run() async throws -> [String] {
    let time = ReplayTime()
    let server = try ReplayServer(recording, time: time)
    defer { server.stop() }
    let transport = ReplayTransport(
      inner, to: server, recording: recording,
      ledger: ExchangeLedger(recording, pool: Self.pools[recording.name] ?? []), time: time)
    let clients = try ReplayClients(recording, transport: transport, time: time)
    let runner = StepRunner(clients: clients, server: server, transport: transport, time: time)
    var differences: [String] = []
    do {
      for step in recording.steps {
        if let found = try await runner.difference(in: step) { differences.append(found) }
        // Later steps would only add consequences.
        guard differences.isEmpty, transport.differences.isEmpty else { break }
        if step.operation == .waitReady, startsAlone { try await time.pass(.seconds(1)) }
      }
      // What a wrong client would send beyond the recorded requests comes with the next interval, or
      // after the pause of a second attempt. Where no tracking was recorded, the activity event of the
      // start would bring what was not to be sent.
      if differences.isEmpty, hasTracking { try await time.pass(.milliseconds(6_100)) }
    } catch {
      differences.append("\(error)")
    }
    if let found = await clients.close() { differences.append(found) }
    let found = transport.finish()
    let steps = differences
    differences = transport.differences + steps
    differences += found.dropFirst(transport.differences.count)
    if differences.isEmpty { differences += arrivalDifferences(transport, server) }
    return differences
  }

  private var hasTracking: Bool { recording.exchanges.contains { $0.endpoint == .tracking } }

  /// Whether the activity event of the start goes before everything else: where intervals pass without
  /// recorded tracking, it would change the age of a token at the recorded requests.
  private var startsAlone: Bool {
    !hasTracking && recording.steps.contains { $0.operation == .sleep }
  }

  /// What arrived at the server is what left the client: target, headers, body after decompression.
  private func arrivalDifferences(
    _ transport: ReplayTransport, _ server: ReplayServer
  ) -> [String] {
    var differences: [String] = []
    for endpoint in WireEndpoint.allCases {
      let sent = transport.sent.filter { $0.endpoint == endpoint }.map(\.request)
      let arrived = Self.withoutRepetitions(server.arrived(endpoint))
      guard sent.count == arrived.count else {
        let arrivals = arrived.map { request in
          (request.isComplete ? "whole" : "broken off") + ", "
            + (request.status.map { "answered with \($0)" } ?? "not answered")
        }
        differences.append(
          "\(endpoint): \(sent.count) requests left, \(arrived.count) arrived (\(arrivals))")
        continue
      }
      for (request, arrival) in zip(sent, arrived) {
        if let found = difference(request, arrival) { differences.append("\(endpoint): \(found)") }
      }
    }
    return differences + server.strays.map { "stray request: \($0.method) \($0.target)" }
  }

  /// The transport sends a request once more if the server closed a kept connection before it answered;
  /// that is one request.
  private static func withoutRepetitions(_ arrived: [RecordedRequest]) -> [RecordedRequest] {
    arrived.indices.filter { index in
      guard index + 1 < arrived.count, arrived[index].status == nil,
        !arrived[index].isFaulted
      else { return true }
      let next = arrived[index + 1]
      return arrived[index].target != next.target || arrived[index].body != next.body
    }.map { arrived[$0] }
  }

  private func difference(_ request: HTTPRequest, _ arrival: RecordedRequest) -> String? {
    guard arrival.method == request.method.rawValue, arrival.target == request.target else {
      return "\(request.target) arrived as \(arrival.method) \(arrival.target)"
    }
    for field in request.headers.fields where arrival.header(field.name) != field.value {
      return "header \(field.name): \(field.value) arrived as "
        + (arrival.header(field.name) ?? "nothing")
    }
    guard arrival.body == request.body ?? [] else { return "the body arrived changed" }
    return arrival.decodedBody == nil ? "the body that arrived does not decode" : nil
  }
}
