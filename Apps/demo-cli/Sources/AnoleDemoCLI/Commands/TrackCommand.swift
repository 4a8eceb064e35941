// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleEvaluation
import AnoleModels
import AnoleNetworking
import AnoleStorage
import AnoleTargeting
import AnoleTracking

/// `track`: keeps tracking events in a folder and brings them to the platform.
enum TrackCommand: Command {
  static let name = "track"
  static let summary = "keep tracking events and send them"
  static let synopsis = "conversion GOAL | data KIND VALUE… | status | flush | drain"
  static let options = [
    PlatformOptions.site, PlatformOptions.visitor, revenueOption, negativeOption, metadataOption,
    storeOption,
    PlatformOptions.endpoint, PlatformOptions.domain, PlatformOptions.timeout, plainOption,
    withinOption,
  ]
  static let example = "track conversion 77 --visitor anna --revenue 12.5"
  static let notes =
    [
      "conversion and data put one event into the folder, where it survives whatever happens; flush",
      "sends what waits there, drain goes on until nothing does; status tells what waits.",
      "Without --endpoint, flush and drain send to an emulator inside the program, which shows every",
      "line that arrives. Kinds of data:",
    ] + TrackedInput.kinds.map { "  \($0.name) \($0.values)" } + [
      "Exit status: 0 done, 1 events still wait, 2 wrong usage or an unusable folder, 3 network."
    ]

  private static let revenueOption = Option(
    "revenue", value: "AMOUNT", help: "the revenue of a conversion; default: 0")
  private static let negativeOption = Option(
    "negative", help: "the conversion takes revenue back")
  private static let metadataOption = Option(
    "metadata", value: "INDEX=VALUE", help: "custom data of a conversion; may be repeated")
  private static let storeOption = Option(
    "store", value: "FOLDER", help: "where events wait; default: below the user's state folder",
    isSetting: true)
  private static let plainOption = Option("no-compression", help: "send bodies as they are")
  private static let withinOption = Option(
    "within", value: "SECONDS", help: "how long drain goes on; default: 60")

  private enum Action: String, CaseIterable {
    case conversion, data, status, flush, drain
  }

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let (action, words): (Action, _) = try arguments.action(of: Self.self)
    switch action {
    case .conversion:
      return try await accept(try conversion(words, arguments), arguments, in: environment)
    case .data:
      return try await accept(try TrackedInput.datum(words), arguments, in: environment)
    case .status, .flush, .drain:
      guard words.isEmpty else {
        throw Failure("track \(action.rawValue) takes no arguments")
      }
    }
    if action == .status { return try await status(arguments, in: environment) }
    return try await send(isDrain: action == .drain, arguments, in: environment)
  }

  private static func conversion(
    _ words: [String], _ arguments: Arguments
  ) throws(Failure) -> TrackingEvent {
    guard words.count == 1 else { throw Failure("write demo-cli track conversion GOAL") }
    let goal = try TrackedInput.integer(words[0], "goal id", for: "conversion")
    let text = arguments.value(revenueOption) ?? "0"
    guard let revenue = Double(text), revenue.isFinite else {
      throw Failure("--revenue wants an amount such as 12.5, not \(Printable.quote(text))")
    }
    return .conversion(
      goalID: goal, revenue: revenue, isNegative: arguments.has(negativeOption),
      metadata: try TrackedInput.metadata(arguments.values(metadataOption)))
  }

  // MARK: - Actions

  private static func accept(
    _ event: TrackingEvent, _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let visitor = arguments.value(PlatformOptions.visitor) ?? "demo-visitor"
    guard VisitorCode.isValid(visitor) else {
      throw Failure("--visitor wants 1 to 255 characters")
    }
    let desk = try desk(arguments, base: arguments.value(PlatformOptions.endpoint), in: environment)
    do throws(Failure) {
      try await desk.accept(event, of: .visitorCode(visitor))
    } catch {
      await desk.close()
      throw error
    }
    let status = await desk.status()
    await desk.close()
    if arguments.has(.json) { return Output(json: document(status), remarks: desk.remarks) }
    let count = Wording.count(status.storedEvents, "event")
    return Output(
      lines: ["stored; \(count) \(status.storedEvents == 1 ? "waits" : "wait") to be sent"],
      remarks: desk.remarks)
  }

  private static func status(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let desk = try desk(arguments, base: arguments.value(PlatformOptions.endpoint), in: environment)
    let status = await desk.status()
    await desk.close()
    if arguments.has(.json) { return Output(json: document(status), remarks: desk.remarks) }
    return Output(lines: lines(status, now: environment.now()), remarks: desk.remarks)
  }

  private static func send(
    isDrain: Bool, _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let limit = try arguments.integer(withinOption, in: 1...86_400) ?? 60
    let emulator =
      arguments.value(PlatformOptions.endpoint) == nil
        && arguments.value(PlatformOptions.domain) == nil
      ? Emulator() : nil
    try emulator?.begin()
    defer { emulator?.stop() }
    let base = emulator?.baseURL ?? arguments.value(PlatformOptions.endpoint)
    let desk = try desk(arguments, base: base, in: environment)
    let delivery = isDrain ? await desk.drain(within: .seconds(limit)) : await desk.flush()
    let status = await desk.status()
    await desk.close()
    let exit = status.queued == 0 ? ExitStatus.success : ExitStatus.negative
    let received = emulator?.requests(.tracking).compactMap(\.tracking)
    if arguments.has(.json) {
      return Output(
        json: document(delivery, status, received), remarks: desk.remarks, status: exit)
    }
    let arrived = (received ?? []).flatMap { report in
      report.events.map { "   \($0.line)" } + report.findings.map { "   ! \($0)" }
    }
    let target = emulator == nil ? base ?? "the platform" : "the emulator inside this program"
    return Output(
      lines: [sentence(delivery, target)] + arrived + lines(status, now: environment.now()),
      remarks: desk.remarks, status: exit)
  }

  private static func desk(
    _ arguments: Arguments, base: String?, in environment: Environment
  ) throws(Failure) -> TrackingDesk {
    let site = arguments.value(PlatformOptions.site) ?? PlatformOptions.defaultSite
    guard !site.isEmpty else { throw Failure("--site wants a site code") }
    let timeout = try arguments.integer(PlatformOptions.timeout, in: 1...600_000) ?? 10_000
    let urls = try PlatformURLs.reading(
      siteCode: site, networkDomain: arguments.value(PlatformOptions.domain), base: base,
      sdk: ClientIdentity(name: environment.sdk.name, version: environment.sdk.version))
    return TrackingDesk(
      folder: try environment.stateFolder(
        arguments.value(storeOption), default: "track/\(PercentEncoding.encode(site))"),
      urls: urls, timeout: .milliseconds(timeout), compresses: !arguments.has(plainOption),
      clock: environment.clock, wallClock: environment.wallClock)
  }

  // MARK: - Words

  private static func sentence(_ delivery: Delivery, _ target: String) -> String {
    let requests = Wording.count(delivery.attempts, "request")
    let sent = "sent \(Wording.count(delivery.events, "event")) in \(requests), "
    let size =
      Wording.count(delivery.bytes, "byte") + (delivery.isCompressed ? " (gzip)" : "")
    switch delivery.outcome {
    case .nothingToSend: return "nothing to send"
    case .delivered(let status): return "\(sent)\(size), to \(target): status \(status)"
    case .refused(let status): return "\(sent)\(size); \(target) refused with status \(status)"
    case .failed(let code): return "\(sent)\(size); no answer from \(target): \(code)"
    case .cancelled: return "\(sent)\(size); cancelled"
    }
  }

  private static func lines(_ status: TrackingStatus, now: Timestamp) -> [String] {
    var lines = [
      "waiting: \(Wording.count(status.queued, "event")), "
        + Wording.count(status.storedBytes, "byte")
    ]
    if let oldest = status.oldest {
      let seconds = max(0, (now.milliseconds - oldest.milliseconds) / 1000)
      lines.append("oldest: \(Wording.count(Int(seconds), "second")) ago")
    }
    for (reason, count) in status.dropped.sorted(by: { $0.key.name < $1.key.name }) {
      lines.append("dropped (\(reason)): \(Wording.count(count, "event"))")
    }
    return lines
  }

  private static func document(_ status: TrackingStatus) -> JSONValue {
    .members([
      ("queued", .count(status.queued)), ("bytes", .count(status.storedBytes)),
      ("oldest", .id(status.oldest?.milliseconds)), ("dropped", dropped(status)),
    ])
  }

  private static func dropped(_ status: TrackingStatus) -> JSONValue {
    .members(
      status.dropped.sorted { $0.key.name < $1.key.name }.map { ($0.key.name, .count($0.value)) })
  }

  private static func document(
    _ delivery: Delivery, _ status: TrackingStatus, _ received: [AnoleEmulator.TrackingReport]?
  ) -> JSONValue {
    .members([
      ("outcome", .string(word(delivery.outcome))), ("sent", .count(delivery.events)),
      ("dropped", .count(delivery.droppedEvents)), ("bytes", .count(delivery.bytes)),
      ("compressed", .bool(delivery.isCompressed)), ("requests", .count(delivery.attempts)),
      ("queued", .count(status.queued)),
      ("received", received.map { .array($0.flatMap { $0.events.map { .string($0.line) } }) }),
      ("findings", received.map { .array($0.flatMap { $0.findings.map { .string("\($0)") } }) }),
    ])
  }

  private static func word(_ outcome: Delivery.Outcome) -> String {
    switch outcome {
    case .nothingToSend: "nothing to send"
    case .delivered(let status): "delivered \(status)"
    case .refused(let status): "refused \(status)"
    case .failed(let code): "failed: \(code)"
    case .cancelled: "cancelled"
    }
  }
}
