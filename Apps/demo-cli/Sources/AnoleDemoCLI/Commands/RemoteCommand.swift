// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels
import AnoleNetworking
import AnoleRemoteFlags

/// `remote`: reads flags that a server has evaluated.
enum RemoteCommand: Command {
  static let name = "remote"
  static let summary = "read flags that a server evaluates"
  static let synopsis = "get KEY | list | refresh | watch | impression KEY | user ID"
  static let options = [
    applicationOption, tokenOption, PlatformOptions.endpoint, storeOption, refreshOption,
    changesOption,
    everyOption, rulesOption,
  ]
  static let example = "remote get new_checkout --refresh"
  static let notes = [
    "get and list read what is stored, at most 24 hours old; refresh asks the server; watch asks",
    "again and again and tells which flags changed; impression reports that somebody reached a",
    "feature; user changes the user, whose flags are asked for at once.",
    "Without --endpoint the server is an emulator inside the program with flags of its own; the",
    "platform itself is https://CODE.api.pushwoosh.com.",
    "Exit status: 0 done, 1 no such flag or no answer, 2 wrong usage, 3 network.",
  ]

  private static let applicationOption = Option(
    "app", value: "CODE", help: "the application code; default: DEMO0-DEMO0",
    isSetting: true)
  private static let tokenOption = Option(
    "token", value: "TOKEN", help: "the device API token", isSetting: true)
  private static let storeOption = Option(
    "store", value: "FOLDER", help: "where flags are kept; default: below the user's state folder",
    isSetting: true)
  private static let refreshOption = Option("refresh", help: "ask the server before reading")
  private static let changesOption = Option(
    "changes", value: "COUNT", help: "end watch after so many changes")
  private static let everyOption = Option(
    "every", value: "SECONDS", help: "the pause of watch; default: 2")
  private static let rulesOption = Option(
    "rules", value: "FILE", help: "the flags of the emulator inside, as its README tells")

  private enum Action: String, CaseIterable {
    case get, list, refresh, watch, impression, user

    /// What stands behind the action; nil for nothing.
    var operand: String? {
      switch self {
      case .get, .impression: "KEY"
      case .user: "ID"
      case .list, .refresh, .watch: nil
      }
    }
  }

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let (action, operand) = try action(arguments)
    let desk = try RemoteDesk(try settings(arguments, in: environment), in: environment)
    let output: Output
    do throws(Failure) {
      output = try await perform(action, operand, desk, arguments, in: environment)
    } catch {
      await desk.close()
      throw error
    }
    await desk.close()
    return output
  }

  private static func action(
    _ arguments: Arguments
  ) throws(Failure) -> (action: Action, operand: String) {
    let (action, rest): (Action, _) = try arguments.action(of: Self.self)
    guard rest.count == (action.operand == nil ? 0 : 1) else {
      throw Failure(
        "write demo-cli remote \(action.rawValue)"
          + (action.operand.map { " \($0)" } ?? " and nothing else"))
    }
    return (action, rest.first ?? "")
  }

  private static func settings(
    _ arguments: Arguments, in environment: Environment
  ) throws(Failure) -> RemoteDesk.Settings {
    let application = arguments.value(applicationOption) ?? "DEMO0-DEMO0"
    let base = arguments.value(PlatformOptions.endpoint)
    // The flags' own path follows it.
    if let base { _ = try PlatformURLs.address(of: base) }
    let rules = try arguments.value(rulesOption).map { (path) throws(Failure) in
      try environment.read(path)
    }
    return RemoteDesk.Settings(
      application: application, token: arguments.value(tokenOption), base: base,
      folder: try environment.stateFolder(
        arguments.value(storeOption), default: "remote/\(PercentEncoding.encode(application))"),
      rules: rules ?? Array(ShopRemoteFlags.text.utf8))
  }

  // MARK: - Actions

  private static func perform(
    _ action: Action, _ operand: String, _ desk: RemoteDesk, _ arguments: Arguments,
    in environment: Environment
  ) async throws(Failure) -> Output {
    if arguments.has(refreshOption) || action == .refresh {
      if let failure = await refresh(desk, arguments) { return failure }
    }
    switch action {
    case .get: return get(operand, desk, arguments)
    case .list, .refresh: return list(desk, arguments)
    case .watch: return try await watch(desk, arguments, in: environment)
    case .impression: return await impression(operand, desk, arguments)
    case .user: return await user(operand, desk, arguments)
    }
  }

  /// Asks the server; what to say if it did not answer, else nil.
  private static func refresh(_ desk: RemoteDesk, _ arguments: Arguments) async -> Output? {
    do throws(RemoteFlagsError) {
      try await desk.client.refresh()
      return nil
    } catch {
      guard arguments.has(.json) else {
        return Output(
          lines: [], remarks: [error.message] + desk.remarks, status: ExitStatus.negative)
      }
      let document: JSONValue = .members([
        ("error", .string(error.message)), ("code", .count(error.number)),
      ])
      return Output(json: document, remarks: desk.remarks, status: ExitStatus.negative)
    }
  }

  private static func get(_ key: String, _ desk: RemoteDesk, _ arguments: Arguments) -> Output {
    guard let flag = desk.client.get(key) else {
      let reason =
        desk.client.flags.isEmpty
        ? "no flags are stored; demo-cli remote refresh asks for them"
        : "there is no such flag; \(DataSource.hint(key, desk.client.flags.map(\.key)))"
      let status = ExitStatus.negative
      guard arguments.has(.json) else {
        return Output(lines: [], remarks: ["\(Printable.quote(key)): \(reason)"], status: status)
      }
      return Output(json: .null, remarks: desk.remarks, status: status)
    }
    if arguments.has(.json) {
      return Output(json: document(flag, desk.client), remarks: desk.remarks)
    }
    var table = Table([.left, .left])
    for property in flag.propertyKeys {
      table.add(["  \(property)", flag.value(forProperty: property)?.text() ?? "null"])
    }
    return Output(
      lines: lines([flag], desk.client) + table.lines, remarks: desk.remarks)
  }

  private static func list(_ desk: RemoteDesk, _ arguments: Arguments) -> Output {
    let flags = desk.client.flags
    if arguments.has(.json) {
      let document: JSONValue = .members([
        ("user", .string(desk.client.userID)), ("device", .string(desk.client.deviceID)),
        ("flags", .array(flags.map { Self.document($0, desk.client) })),
      ])
      return Output(json: document, remarks: desk.remarks)
    }
    guard !flags.isEmpty else {
      return Output(
        lines: ["no flags for \(desk.client.userID); demo-cli remote refresh asks for them"],
        remarks: desk.remarks)
    }
    return Output(lines: lines(flags, desk.client), remarks: desk.remarks)
  }

  private static func watch(
    _ desk: RemoteDesk, _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let limit = try arguments.integer(changesOption, in: 1...1_000_000)
    let pause = try arguments.integer(everyOption, in: 1...86_400) ?? 2
    if let address = desk.emulator?.baseURL, !arguments.has(.json) {
      guard environment.say("the emulator inside listens at \(address)") else {
        return Output(lines: [])
      }
    }
    let changes = desk.client.changes()
    let asking = Task {
      while !Task.isCancelled {
        _ = await refresh(desk, arguments)
        // Cancelled: the loop ends.
        try? await environment.clock.sleep(for: .seconds(pause))
      }
    }
    var told: Int64 = 0
    for await keys in changes {
      told += 1
      let isRead = keys.allSatisfy { key in
        environment.say(line(of: key, desk.client, isJSON: arguments.has(.json)))
      }
      if !isRead || told == limit { break }
    }
    asking.cancel()
    await asking.value
    return Output(lines: [], remarks: desk.remarks)
  }

  private static func line(of key: String, _ client: RemoteFlagsClient, isJSON: Bool) -> String {
    guard let flag = client.get(key) else {
      return isJSON
        ? JSONValue.members([("key", .string(key)), ("removed", .bool(true))]).text()
        : "\(Printable.line(key))  is gone"
    }
    return isJSON ? document(flag, client).text() : lines([flag], client).joined()
  }

  private static func impression(
    _ key: String, _ desk: RemoteDesk, _ arguments: Arguments
  ) async -> Output {
    guard let flag = desk.client.get(key) else { return get(key, desk, arguments) }
    desk.client.logImpression(key)
    await desk.client.finishRequests()
    let isSent = desk.remarks.isEmpty
    let status = isSent ? ExitStatus.success : ExitStatus.negative
    if arguments.has(.json) {
      let document: JSONValue = .members([
        ("key", .string(key)), ("rule", .string(flag.ruleID)), ("enabled", .bool(flag.isEnabled)),
        ("sent", .bool(isSent)),
      ])
      return Output(json: document, remarks: desk.remarks, status: status)
    }
    let text = "impression of \(Printable.line(key)) \(isSent ? "sent" : "not sent")"
    return Output(lines: [text], remarks: desk.remarks, status: status)
  }

  private static func user(
    _ user: String, _ desk: RemoteDesk, _ arguments: Arguments
  ) async -> Output {
    desk.client.setUserID(user)
    await desk.client.finishRequests()
    return list(desk, arguments)
  }

  // MARK: - Words

  private static func lines(_ flags: [RemoteFlag], _ client: RemoteFlagsClient) -> [String] {
    var table = Table([.left, .left, .left, .left, .left])
    for flag in flags {
      let rule = flag.ruleID.isEmpty ? "killed" : "rule \(flag.ruleID)"
      let seconds = Int(client.age(of: flag).components.seconds)
      table.add([
        flag.key, flag.isEnabled ? "on" : "off", rule, flag.origin.description,
        "\(Wording.count(seconds, "second")) old",
      ])
    }
    return table.lines
  }

  private static func document(_ flag: RemoteFlag, _ client: RemoteFlagsClient) -> JSONValue {
    let properties = flag.propertyKeys.map {
      JSONValue.Member(key: $0, value: flag.value(forProperty: $0) ?? .null)
    }
    return .members([
      ("key", .string(flag.key)), ("enabled", .bool(flag.isEnabled)),
      ("rule", .string(flag.ruleID)), ("origin", .string(flag.origin.description)),
      ("ageSeconds", .count(Int(client.age(of: flag).components.seconds))),
      ("properties", .object(properties)),
    ])
  }
}
