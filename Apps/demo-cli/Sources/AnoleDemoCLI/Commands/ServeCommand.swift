// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels

/// `serve`: plays the platform on loopback and tells every request.
enum ServeCommand: Command {
  static let name = "serve"
  static let summary = "play the platform on this computer"
  static let synopsis = ""
  static let options = [DataSource.option, remoteFlagsOption, portOption, requestsOption]
  static let example = "serve --port 8080"
  static let notes = [
    "Serves the data file, the event stream, tracking, remote data, tokens and remote flags on",
    "127.0.0.1, tells every request, and takes orders at /_control, as the README of the emulator says.",
    "Ends with Ctrl-C, or after the number of requests given with --requests.",
  ]

  private static let remoteFlagsOption = Option(
    "remote-flags", value: "FILE", help: "the rules of remote flags; default: a built-in shop's")
  private static let portOption = Option(
    "port", value: "PORT", help: "the port; default: a free one")
  private static let requestsOption = Option(
    "requests", value: "COUNT", help: "end after so many requests")

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    guard arguments.operands.isEmpty else {
      throw Failure("serve takes no arguments; --data-file names what to serve")
    }
    let port = try arguments.integer(portOption, in: 1...65_535) ?? 0
    let limit = try arguments.integer(requestsOption, in: 1...1_000_000).map(Int.init)
    let path = arguments.value(DataSource.option)
    let bytes =
      try path.map { (path) throws(Failure) in try environment.read(path) }
      ?? Array(ShopDataFile.text.utf8)
    _ = try DataSource.read(bytes, name: DataSource.name(of: path))
    let emulator = Emulator()
    emulator.setDataFile(bytes, lastModified: HTTPDateText.text(environment.now()))
    let rules = try arguments.value(remoteFlagsOption).map { (path) throws(Failure) in
      try environment.read(path)
    }
    do throws(RemoteFlagRulesError) {
      try emulator.setRemoteFlags(rules ?? Array(ShopRemoteFlags.text.utf8))
    } catch {
      throw .data("\(error); mend it at that place")
    }
    do throws(EmulatorError) {
      try emulator.start(port: UInt16(port))
      defer { emulator.stop() }
      try await tell(emulator, limit: limit, arguments, in: environment)
    } catch {
      // Ctrl-C is the usual end.
      guard error.code != .cancelled else { return Output(lines: []) }
      throw .network(error.description)
    }
    return Output(lines: [])
  }

  /// Prints the address, then a line a request.
  private static func tell(
    _ emulator: Emulator, limit: Int?, _ arguments: Arguments, in environment: Environment
  ) async throws(EmulatorError) {
    let address = emulator.baseURL ?? ""
    let isOpen =
      arguments.has(.json)
      ? environment.say(JSONValue.members([("address", .string(address))]).text())
      : environment.say("serving at \(address); try demo-cli fetch any-site --endpoint \(address)")
    var told = 0
    while isOpen, limit.map({ told < $0 }) ?? true {
      let requests = try await emulator.waitForRequests(count: told + 1)
      for request in requests.dropFirst(told) where limit.map({ told < $0 }) ?? true {
        told += 1
        let line =
          arguments.has(.json) ? document(request).text() : text(request).joined(separator: "\n")
        guard environment.say(line) else { return }
      }
    }
  }

  private static func text(_ request: RecordedRequest) -> [String] {
    let status = request.status.map { " → \($0)" } ?? ""
    let head = "\(request.sequence). \(request.method) \(request.target)\(status)"
    guard let tracking = request.tracking else { return [head] }
    return [head] + tracking.events.map { "   \($0.line)" }
      + tracking.findings.map { "   ! \($0)" }
  }

  private static func document(_ request: RecordedRequest) -> JSONValue {
    .members([
      ("sequence", .count(request.sequence)), ("method", .string(request.method)),
      ("target", .string(request.target)), ("status", request.status.map(JSONValue.count)),
      ("events", request.tracking.map { .array($0.events.map { .string($0.line) }) }),
      ("findings", request.tracking.map { .array($0.findings.map { .string("\($0)") }) }),
    ])
  }
}
