// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEmulator
import AnoleModels

/// `serve`: plays the platform on loopback and tells every request.
enum ServeCommand: Command {
  static let name = "serve"
  static let summary = "play the platform on this computer"
  static let synopsis = ""
  static let options =
    [
      DataSource.option, remoteFlagsOption, ListeningOptions.port, addressOption, tokenOption,
      journalOption,
      ListeningOptions.requests,
    ] + ServeOptions.all
  static let example = "serve --port 8080 --fault 503:0.2 --latency 200..800"
  static let notes =
    [
      "Serves the data file, the event stream, tracking, remote data, tokens and remote flags on",
      "127.0.0.1, evaluates flags for OpenFeature's clients (OFREP), and tells every request. The page for",
      "people is at /; programs give orders at /_control, as the README of the emulator says. A data file",
      "that changes is served anew, and the open streams are told.",
      "--fault and --latency mean all routes, or one of these:",
    ] + routes + [
      "Ends with Ctrl-C, or after the number of requests given with --requests."
    ]

  /// The names of the routes, a few a line.
  private static let routes = [0..<7, 7..<Route.allCases.count].map { part in
    "  " + Route.allCases[part].map(\.rawValue).joined(separator: " ")
  }
  private static let remoteFlagsOption = Option(
    "remote-flags", value: "FILE", help: "the rules of remote flags; default: a built-in shop's")
  private static let addressOption = Option(
    "address", value: "ADDRESS",
    help: "listen where other computers reach it, such as 0.0.0.0; needs --token")
  private static let tokenOption = Option(
    "token", value: "TOKEN", help: "what the page and /_control ask for then")
  private static let journalOption = Option(
    "journal", value: "FILE", help: "add every received event to a file, one JSON document a line")

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    guard arguments.operands.isEmpty else {
      throw Failure("serve takes no arguments; --data-file names what to serve")
    }
    let port = try ListeningOptions.port(arguments)
    let exposure = try exposure(arguments)
    let limit = try ListeningOptions.limit(arguments)
    let emulator = Emulator(
      time: TimeSource(environment.clock), wallClock: environment.wallClock,
      seed: try ServeOptions.seed(arguments, in: environment))
    try ServeOptions.apply(arguments, to: emulator)
    let watch = try DataFileWatch(
      arguments.value(DataSource.option), on: emulator, in: environment)
    try setRemoteFlags(arguments, on: emulator, in: environment)
    let log = try arguments.value(journalOption).map { (path) throws(Failure) in
      try EventLog(path, in: environment)
    }
    do throws(EmulatorError) {
      if let (address, token) = exposure {
        try emulator.start(exposedAt: address, token: token, port: port)
      } else {
        try emulator.start(port: port)
      }
    } catch {
      if error.code == .invalidArgument { throw Failure(error.message) }
      throw .network(error.description)
    }
    defer { emulator.stop() }
    // Ends with this function.
    async let _: Void = keepWatching(watch, isJSON: arguments.has(.json))
    let teller = RequestTeller(
      emulator: emulator, isJSON: arguments.has(.json),
      hint: "open it in a browser, or try demo-cli fetch any-site --endpoint ADDRESS", log: log,
      environment: environment)
    try await teller.run(limit: limit)
    return Output(lines: [])
  }

  private static func keepWatching(_ watch: DataFileWatch, isJSON: Bool) async {
    var watch = watch
    await watch.run(isJSON: isJSON)
  }

  /// Where other computers reach the server; nil for nowhere.
  private static func exposure(
    _ arguments: Arguments
  ) throws(Failure) -> (address: String, token: String)? {
    switch (arguments.value(addressOption), arguments.value(tokenOption)) {
    case (nil, nil): return nil
    case (let address?, let token?): return (address, token)
    case (_?, nil):
      throw Failure(
        "\(addressOption.text) needs \(tokenOption.text) as well: whoever reaches the server could "
          + "change everything otherwise")
    case (nil, _?):
      throw Failure("\(tokenOption.text) goes with \(addressOption.text); give both or neither")
    }
  }

  private static func setRemoteFlags(
    _ arguments: Arguments, on emulator: Emulator, in environment: Environment
  ) throws(Failure) {
    let rules = try arguments.value(remoteFlagsOption).map { (path) throws(Failure) in
      try environment.read(path)
    }
    try emulator.takeRemoteFlags(rules ?? Array(ShopRemoteFlags.text.utf8))
  }
}
