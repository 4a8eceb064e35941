// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleEvaluation
import AnoleModels
import AnoleNetworking
import kameleoonClient

/// `watch`: follows flags through a client.
enum WatchCommand: Command {
  static let name = "watch"
  static let summary = "follow flags of a visitor and tell every change"
  static let synopsis = "FLAG… [--visitor CODE]"
  static let options = [
    PlatformOptions.visitor, PlatformOptions.site, PlatformOptions.endpoint, PlatformOptions.domain,
    PlatformOptions.environment, PlatformOptions.timeout,
    PlatformOptions.caFile, DataSource.option, changesOption,
  ]
  static let example = "watch checkout --visitor anna"
  static let notes = [
    "Tells what the visitor gets now, then a line for every change, as the event stream or the next",
    "fetch brings it, with time and reason; with --json each line is a document. Ends with Ctrl-C.",
    "Without --site, --endpoint and --network-domain the platform is an emulator inside the program,",
    "with the data file of --data-file; its control page is at the address that is printed first.",
    "Exit status: 0 done, 2 wrong usage, 3 no data file came, 130 ended before so many changes.",
  ]

  private static let changesOption = Option(
    "changes", value: "COUNT", help: "end after so many changes; 0: after the present answers")

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    guard !arguments.operands.isEmpty else {
      throw Failure("watch needs a flag; write demo-cli watch FLAG")
    }
    let visitor = arguments.value(PlatformOptions.visitor) ?? "demo-visitor"
    guard VisitorCode.isValid(visitor) else {
      throw Failure("--visitor wants 1 to \(VisitorCode.maximumLength) characters")
    }
    let limit = try arguments.integer(changesOption, in: 0...1_000_000).map { Int($0) }
    let place = try place(arguments)
    guard place.endpoint == nil, place.networkDomain == nil,
      arguments.value(PlatformOptions.site) == nil
    else { return try await watch(visitor, place, limit, arguments, in: environment) }
    return try await watchInside(visitor, place, limit, arguments, in: environment)
  }

  /// Watches an emulator inside the program, whose address is told first.
  private static func watchInside(
    _ visitor: String, _ place: ClientDesk.Place, _ limit: Int?, _ arguments: Arguments,
    in environment: Environment
  ) async throws(Failure) -> Output {
    let path = arguments.value(DataSource.option)
    let bytes =
      try path.map { (path) throws(Failure) in try environment.read(path) }
      ?? Array(ShopDataFile.text.utf8)
    _ = try DataSource.read(bytes, name: DataSource.name(of: path))
    let (emulator, address, port) = try Emulator.inside(serving: bytes, in: environment)
    defer { emulator.stop() }
    var place = place
    place.endpoint = EndpointAddress(port: port)
    place.siteCode = "watch-\(port)"
    guard environment.say(greeting(address, arguments)) else { return Output(lines: []) }
    return try await watch(visitor, place, limit, arguments, in: environment)
  }

  private static func watch(
    _ visitor: String, _ place: ClientDesk.Place, _ limit: Int?, _ arguments: Arguments,
    in environment: Environment
  ) async throws(Failure) -> Output {
    let client = try await ClientDesk(place, in: environment).readyClient(visitor)
    do throws(Failure) {
      try check(arguments.operands, client)
    } catch {
      await client.close()
      throw error
    }
    let isJSON = arguments.has(.json)
    let isComplete = await FlagWatch(client: client, flags: arguments.operands).follow(
      limit: limit
    ) { state, former in
      let now = environment.now()
      return environment.say(
        isJSON ? state.document(after: former, at: now).text() : state.text(after: former, at: now))
    }
    await client.close()
    // Without a number Ctrl-C is the usual end.
    guard isComplete || limit == nil else { throw .interrupted }
    return Output(lines: [])
  }

  private static func place(_ arguments: Arguments) throws(Failure) -> ClientDesk.Place {
    let site = arguments.value(PlatformOptions.site) ?? PlatformOptions.defaultSite
    guard !site.isEmpty else { throw Failure("--site wants a site code") }
    let domain = arguments.value(PlatformOptions.domain)
    let reading = NetworkDomain.read(domain)
    if let domain, reading.domain == nil {
      let reason = reading.diagnostic.map { ": \($0)" } ?? ""
      throw Failure("--network-domain \(Printable.quote(domain))\(reason)")
    }
    return ClientDesk.Place(
      siteCode: site,
      endpoint: try arguments.value(PlatformOptions.endpoint).map { (base) throws(Failure) in
        try PlatformURLs.address(of: base)
      },
      environment: arguments.value(PlatformOptions.environment), networkDomain: domain,
      timeoutMilliseconds: try arguments.integer(PlatformOptions.timeout, in: 1...600_000).map {
        Int($0)
      },
      caFile: arguments.value(PlatformOptions.caFile))
  }

  private static func greeting(_ address: String, _ arguments: Arguments) -> String {
    arguments.has(.json)
      ? JSONValue.members([("address", .string(address))]).text()
      : "the platform inside listens at \(address); open that in a browser to change flags, or send "
        + "orders to \(address)/_control"
  }

  /// Every flag must be there at first.
  private static func check(_ flags: [String], _ client: any AnoleClient) throws(Failure) {
    let known: [String]
    do {
      known = try client.getDataFile().featureFlags.keys.sorted()
    } catch {
      throw .data("\(error)")
    }
    for flag in flags where !known.contains(flag) {
      throw Failure(
        "the data file has no flag \(Printable.quote(flag)); \(DataSource.hint(flag, known))")
    }
  }
}
