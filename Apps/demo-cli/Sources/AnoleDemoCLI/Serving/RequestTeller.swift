// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels

/// Tells the address of a server, then every request as it comes.
struct RequestTeller: Sendable {
  let emulator: Emulator
  let isJSON: Bool
  /// What to do with the address, in words; `ADDRESS` stands for it.
  let hint: String
  /// Where events are kept; nil for nowhere.
  let log: EventLog?
  let environment: Environment

  /// Tells until so many requests were told, the task is cancelled, or nobody listens.
  func run(limit: Int?) async throws(Failure) {
    let address = emulator.baseURL ?? ""
    var isOpen =
      isJSON
      ? environment.say(JSONValue.members([("address", .string(address))]).text())
      : environment.say("serving at \(address); \(hint.replacing("ADDRESS", with: address))")
    var (told, sequence) = (0, 0)
    while isOpen, limit.map({ told < $0 }) ?? true {
      let requests: [RecordedRequest]
      do throws(EmulatorError) {
        requests = try await emulator.waitForRequests(after: sequence)
      } catch {
        // Ctrl-C is the usual end.
        guard error.code != .cancelled else { return }
        throw .network(error.description)
      }
      for request in requests where isOpen && limit.map({ told < $0 }) ?? true {
        (told, sequence) = (told + 1, request.sequence)
        try log?.add(request)
        isOpen = environment.say(
          isJSON ? document(request).text() : text(request).joined(separator: "\n"))
      }
    }
  }

  private func text(_ request: RecordedRequest) -> [String] {
    let status = request.status.map { " → \($0)" } ?? ""
    let head = "\(request.sequence). \(request.method) \(request.target)\(status)"
    guard let tracking = request.tracking else { return [head] }
    return [head] + tracking.events.map { "   \($0.line)" }
      + tracking.findings.map { "   ! \($0)" }
  }

  private func document(_ request: RecordedRequest) -> JSONValue {
    .members([
      ("sequence", .count(request.sequence)), ("method", .string(request.method)),
      ("target", .string(request.target)), ("status", request.status.map(JSONValue.count)),
      ("events", request.tracking.map { .array($0.events.map { .string($0.line) }) }),
      ("findings", request.tracking.map { .array($0.findings.map { .string("\($0)") }) }),
    ])
  }
}
