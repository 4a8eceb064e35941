// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEmulator
import AnoleModels
import AnoleNetworking
import AnoleTargeting

/// `record`: writes down what an application and a platform say to each other.
enum RecordCommand: Command {
  static let name = "record"
  static let summary = "write down what an application and the platform say"
  static let synopsis = "FILE [OPTION…]"
  static let options = [
    PlatformOptions.site, PlatformOptions.endpoint, PlatformOptions.domain, PlatformOptions.caFile,
    ListeningOptions.port, ListeningOptions.requests,
  ]
  static let example = "record talk.json --endpoint http://127.0.0.1:8080 --requests 2"
  static let notes = [
    "Listens on 127.0.0.1; point the application there. Every request is passed on to the platform,",
    "or to --endpoint, and told; Ctrl-C, or so many requests, end it and write FILE, which",
    "demo-cli replay serves. Remote flags need --endpoint. Credentials are not written down; the",
    "data of visitors are.",
    "Exit status: 0 written, 2 wrong usage, 3 the port is in use.",
  ]

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    guard let path = try arguments.onlyOperand("file"), !path.isEmpty else {
      throw Failure("record needs a file to write; write demo-cli record FILE")
    }
    let port = try ListeningOptions.port(arguments)
    let limit = try ListeningOptions.limit(arguments)
    let site = arguments.value(PlatformOptions.site) ?? PlatformOptions.defaultSite
    let upstream = try upstream(site, arguments, in: environment)
    // What cannot be written should be told before the work, not after it.
    try environment.write(Array((Recording(siteCode: site).document.text() + "\n").utf8), path)
    let transport = CurlTransport(
      CurlTransport.Configuration(caFile: arguments.value(PlatformOptions.caFile)))
    let recorder = Recorder(
      transport: transport, time: TimeSource(environment.clock), upstream: upstream)
    let emulator = Emulator()
    emulator.setResponder(recorder.respond)
    do throws(Failure) {
      try await serve(emulator, port: port, limit: limit, arguments, in: environment)
    } catch {
      transport.shutdown()
      throw error
    }
    transport.shutdown()
    let recording = recorder.recording(siteCode: site)
    try environment.write(
      Array((recording.document.text(indented: true) + "\n").utf8), path)
    let count = recording.exchanges.count
    guard !arguments.has(.json) else {
      let document = JSONValue.members([("file", .string(path)), ("exchanges", .count(count))])
      return Output(lines: [document.text()])
    }
    return Output(lines: ["\(Wording.count(count, "exchange")) in \(Printable.line(path))"])
  }

  /// Runs an emulator that an application is pointed at, and tells every request.
  static func serve(
    _ emulator: Emulator, port: UInt16, limit: Int?, _ arguments: Arguments,
    in environment: Environment
  ) async throws(Failure) {
    try emulator.begin(port: port)
    defer { emulator.stop() }
    try await RequestTeller(
      emulator: emulator, isJSON: arguments.has(.json), hint: "point the application there",
      log: nil, environment: environment
    ).run(limit: limit)
  }

  /// Where each route is answered.
  private static func upstream(
    _ site: String, _ arguments: Arguments, in environment: Environment
  ) throws(Failure) -> @Sendable (Route) -> String {
    if let base = arguments.value(PlatformOptions.endpoint) {
      _ = try PlatformURLs.address(of: base)
      return { _ in base }
    }
    let urls = try PlatformURLs.reading(
      siteCode: site, networkDomain: arguments.value(PlatformOptions.domain),
      sdk: ClientIdentity(name: environment.sdk.name, version: environment.sdk.version))
    let (files, events) = (origin(of: urls.configuration()), origin(of: urls.events()))
    let (data, tokens) = (origin(of: urls.tracking()), origin(of: urls.accessToken()))
    return { route in
      switch route {
      case .stream: events
      case .token: tokens
      case .tracking, .visitorData, .remoteData: data
      default: files
      }
    }
  }

  /// Scheme and host of an address.
  private static func origin(of url: String) -> String {
    url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
      .joined(separator: "/")
  }
}
