// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking
import AnoleTargeting

/// `fetch`: gets a data file over the network, and follows its changes if asked to.
enum FetchCommand: Command {
  static let name = "fetch"
  static let summary = "fetch a data file over the network"
  static let synopsis = "SITE-CODE"
  static let options = [
    PlatformOptions.environment, PlatformOptions.domain, PlatformOptions.endpoint,
    PlatformOptions.timeout, PlatformOptions.caFile, printOption,
    watchOption,
  ]
  static let example = "fetch my-site --endpoint http://127.0.0.1:8080"
  static let notes = [
    "Prints what came. With --watch the event stream is opened, and every change is fetched and",
    "told until so many have come.",
    "Exit status: 0 fetched, 2 wrong usage, 3 not fetched, 4 not readable.",
  ]

  private static let printOption = Option(
    "print", help: "print the file itself, as it came, and nothing else")
  private static let watchOption = Option(
    "watch", value: "COUNT", help: "then wait for so many changes")

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    guard let siteCode = try arguments.onlyOperand("site code"), !siteCode.isEmpty else {
      throw Failure("fetch needs a site code; write demo-cli fetch SITE-CODE")
    }
    let timeout = try arguments.integer(PlatformOptions.timeout, in: 1...600_000) ?? 10_000
    let changes = try arguments.integer(watchOption, in: 1...1_000_000)
    let fetcher = DataFileFetcher(
      try PlatformURLs.reading(
        siteCode: siteCode, environment: arguments.value(PlatformOptions.environment),
        networkDomain: arguments.value(PlatformOptions.domain),
        base: arguments.value(PlatformOptions.endpoint),
        sdk: ClientIdentity(name: environment.sdk.name, version: environment.sdk.version)),
      timeout: .milliseconds(timeout), caFile: arguments.value(PlatformOptions.caFile))
    guard let file = try await fetcher.fetch() else {
      throw .network("\(fetcher.address): answered \"not modified\" to a request without condition")
    }
    if let changes {
      return try await watch(Int(changes), file, fetcher, arguments, in: environment)
    }
    if arguments.has(printOption) { return Output(verbatim: file.bytes) }
    if arguments.has(.json) { return Output(json: document(file, fetcher.address)) }
    return Output(lines: [fetcher.address] + lines(file))
  }

  /// Tells the file, then every change as it comes.
  private static func watch(
    _ count: Int, _ first: FetchedFile, _ fetcher: DataFileFetcher, _ arguments: Arguments,
    in environment: Environment
  ) async throws(Failure) -> Output {
    var file = first
    let tell = { (file: FetchedFile) in
      arguments.has(.json)
        ? environment.say(document(file, fetcher.address).text())
        : environment.say(lines(file).joined(separator: "; "))
    }
    guard tell(file) else { return Output(lines: []) }
    let source = fetcher.changes()
    source.start()
    var rest = count
    for await update in source.updates {
      guard rest > 0 else { break }
      // After a loss, events may have been missed: one fetch tells.
      let mayHaveChanged: Bool
      var timestamp: Int64?
      switch update {
      case .event(let event):
        timestamp = DataFileFetcher.timestamp(of: event)
        mayHaveChanged = timestamp != nil
      case .connected(let afterLoss): mayHaveChanged = afterLoss
      case .connecting, .lost, .closed: mayHaveChanged = false
      }
      guard mayHaveChanged else { continue }
      let changed = try await fetcher.fetch(timestamp: timestamp, validators: file.validators)
      guard let changed else { continue }
      file = changed
      rest -= 1
      if !tell(file) || rest == 0 { break }
    }
    await source.close()
    return Output(lines: [])
  }

  private static func lines(_ file: FetchedFile) -> [String] {
    let dataFile = file.reading.dataFile
    let findings = file.reading.diagnostics.count
    return [
      "\(Wording.count(file.bytes.count, "byte")), "
        + Wording.count(dataFile.featureFlags.count, "flag") + ", "
        + Wording.count(dataFile.segments.count, "segment"),
      "last modified: \(file.validators.lastModified ?? "not told")",
      "changes are \(dataFile.configuration.isRealTimeUpdate ? "streamed" : "polled")",
    ]
      + (findings == 0
        ? [] : ["\(Wording.count(findings, "thing")) in it cannot be used; demo-cli lint tells"])
  }

  private static func document(_ file: FetchedFile, _ address: String) -> JSONValue {
    let dataFile = file.reading.dataFile
    return [
      "address": .string(address), "bytes": .count(file.bytes.count),
      "flags": .count(dataFile.featureFlags.count), "segments": .count(dataFile.segments.count),
      "dateModified": .id(dataFile.dateModified.milliseconds),
      "lastModified": .text(file.validators.lastModified),
      "entityTag": .text(file.validators.entityTag),
      "streamed": .bool(dataFile.configuration.isRealTimeUpdate),
      "diagnostics": .array(file.reading.diagnostics.map { .string($0.description) }),
    ]
  }
}
