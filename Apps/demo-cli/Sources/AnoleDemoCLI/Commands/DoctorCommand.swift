// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking
import AnoleTargeting

/// `doctor`: looks at what the SDK needs of this computer.
enum DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "look at what is needed of this computer"
  static let synopsis = ""
  static let options = [
    onlineOption, PlatformOptions.site, PlatformOptions.endpoint, PlatformOptions.domain,
    PlatformOptions.caFile, PlatformOptions.timeout,
    storeOption,
  ]
  static let example = "doctor"
  static let notes = [
    "Looks at the libraries and their versions, certificates, proxies, the state folder and what is in",
    "it, and the settings. No network is used unless --endpoint, --network-domain or --online names a",
    "server: then one request is made, and its clock is compared with this computer's.",
    "Exit status: 0 no problem (warnings there may be), 1 a problem, 2 wrong usage.",
  ]

  private static let onlineOption = Option("online", help: "ask the platform's own host")
  private static let storeOption = Option(
    "store", value: "FOLDER", help: "where state is kept; default: below the user's state folder",
    isSetting: true)

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    guard arguments.operands.isEmpty else { throw Failure("doctor takes no arguments") }
    let caFile = arguments.value(PlatformOptions.caFile)
    var checks = LibraryChecks.all
    checks.append(NetworkChecks.certificates(caFile, in: environment))
    checks += NetworkChecks.proxies(in: environment)
    if let request = try request(arguments, in: environment) {
      checks += try await NetworkChecks.server(
        request.request, host: request.host, caFile: caFile, in: environment)
    } else {
      checks.append(.ok("server", "not asked; --online or --endpoint URL does"))
    }
    checks += StateFolderChecks.all(arguments.value(storeOption), in: environment)
    checks += try SettingsChecks.all(in: environment)
    return output(checks, isJSON: arguments.has(.json))
  }

  /// The request that a server is asked with; nil if none is to be asked.
  private static func request(
    _ arguments: Arguments, in environment: Environment
  ) throws(Failure) -> (request: HTTPRequest, host: String?)? {
    let base = arguments.value(PlatformOptions.endpoint)
    let domain = arguments.value(PlatformOptions.domain)
    let timeout = try arguments.integer(PlatformOptions.timeout, in: 1...600_000) ?? 10_000
    let urls = try PlatformURLs.reading(
      siteCode: arguments.value(PlatformOptions.site) ?? PlatformOptions.defaultSite,
      networkDomain: domain, base: base,
      sdk: ClientIdentity(name: environment.sdk.name, version: environment.sdk.version))
    guard base != nil || domain != nil || arguments.has(onlineOption) else { return nil }
    let requests = PlatformRequests(
      urls: urls, userAgent: UserAgent(name: Program.name, version: Program.version),
      timeout: .milliseconds(timeout))
    return (requests.configuration(), urls.overrides[.configuration]?.host)
  }

  private static func output(_ checks: [Check], isJSON: Bool) -> Output {
    let problems = checks.count { $0.state == .problem }
    let warnings = checks.count { $0.state == .warning }
    let status = problems > 0 ? ExitStatus.negative : ExitStatus.success
    guard !isJSON else {
      let document: JSONValue = [
        "problems": .count(problems), "warnings": .count(warnings),
        "checks": .array(checks.map(\.document)),
      ]
      return Output(json: document, status: status)
    }
    var table = Table([.left, .left, .left])
    for check in checks { table.add([check.state.rawValue, check.name, check.text]) }
    let lines = zip(checks, table.lines).flatMap { check, line in
      [line] + (check.next.map { ["         → \($0)"] } ?? [])
    }
    let verdict = [Wording.count(problems, "problem"), Wording.count(warnings, "warning")]
    return Output(lines: lines + [verdict.joined(separator: ", ")], status: status)
  }
}
