// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking

/// What requests need: certificates, proxies, and on demand a server and its clock.
enum NetworkChecks {
  // MARK: - Certificates

  /// Whether there are certificates to trust.
  static func certificates(_ given: String?, in environment: Environment) -> Check {
    let libraries = NetworkingLibraries.loaded
    let next = "install ca-certificates, or name a file with --ca-file FILE"
    if let file = given ?? libraries.caFile {
      do throws(Failure) {
        let count = certificateCount(try environment.read(file))
        guard count > 0 else {
          return .problem("certificates", "\(file) has no certificate in PEM form", next: next)
        }
        return .ok("certificates", "\(Wording.count(count, "certificate")) in \(file)")
      } catch {
        guard given == nil, libraries.caFolder != nil else {
          return .problem("certificates", error.description, next: next)
        }
      }
    }
    guard let folder = libraries.caFolder else {
      return libraries.curl == nil
        ? .ok("certificates", "those of the system")
        : .problem("certificates", "libcurl knows no file of certificates", next: next)
    }
    guard StateFolderChecks.hasFiles(folder) else {
      return .problem("certificates", "there are none in \(folder)", next: next)
    }
    return .ok("certificates", "the folder \(folder)")
  }

  private static func certificateCount(_ bytes: [UInt8]) -> Int {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .count { $0.hasPrefix("-----BEGIN CERTIFICATE") || $0.hasPrefix("-----BEGIN TRUSTED") }
  }

  // MARK: - Proxies

  /// The variables that name proxies, each looked at alone.
  static func proxies(in environment: Environment) -> [Check] {
    var checks: [Check] = []
    for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
      guard let value = environment.variable(name), !value.isEmpty else { continue }
      checks.append(proxy(name, value))
    }
    if let value = environment.variable("HTTP_PROXY"), !value.isEmpty,
      environment.variable("http_proxy") ?? "" == ""
    {
      checks.append(
        .warning("proxy", "HTTP_PROXY is set and not read", next: "set http_proxy instead"))
    }
    guard !checks.isEmpty else { return [.ok("proxy", "none")] }
    if let exceptions = environment.variable("no_proxy") ?? environment.variable("NO_PROXY") {
      checks.append(.ok("proxy", "not for \(exceptions)"))
    }
    return checks
  }

  private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// Never shows user and password.
  private static func proxy(_ name: String, _ value: String) -> Check {
    let next = "write [scheme://][user:password@]host[:port], such as http://proxy.example:3128"
    let parts = value.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    let scheme = parts.count == 2 ? String(parts[0]) : "http"
    guard schemes.contains(scheme.lowercased()) else {
      return .problem(
        "proxy", "\(name) has the unknown scheme \(Printable.quote(scheme))", next: next)
    }
    let rest = parts[parts.count - 1].prefix { $0 != "/" }
    let authority = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
    let host: Substring
    var port: Substring?
    if authority.first == "[", let end = authority.firstIndex(of: "]") {
      host = authority[...end]
      let behind = authority[authority.index(after: end)...]
      port = behind.isEmpty ? nil : behind.first == ":" ? behind.dropFirst() : "?"
    } else {
      host = authority.prefix { $0 != ":" }
      port = host.endIndex == authority.endIndex ? nil : authority[host.endIndex...].dropFirst()
    }
    guard !host.isEmpty, !host.contains(" ") else {
      return .problem("proxy", "\(name) names no host", next: next)
    }
    if let port, Int(port).map((1...65_535).contains) != true {
      return .problem("proxy", "\(name) has a port that is none", next: next)
    }
    return .ok("proxy", "\(name): \(scheme)://\(host)" + (port.map { ":\($0)" } ?? ""))
  }

  // MARK: - A server

  /// How far clocks may be apart before somebody should know.
  private static let smallSkew: Int64 = 5
  /// How far before times of events, tokens and certificates go wrong.
  private static let largeSkew: Int64 = 300

  /// Asks a server for anything, and compares clocks.
  ///
  /// - Parameter host: the host, if it is not one of the platform's.
  static func server(
    _ request: HTTPRequest, host: String?, caFile: String?, in environment: Environment
  ) async throws(Failure) -> [Check] {
    let transport = CurlTransport(
      CurlTransport.Configuration(caFile: caFile, proxy: .reaching(host)))
    defer { transport.shutdown() }
    let response: HTTPResponse
    do throws(HTTPError) {
      response = try await transport.send(request)
    } catch {
      guard error.code != .cancelled else { throw .interrupted }
      return [
        .problem("server", "\(error)", next: "check address, network, proxy and certificates")
      ]
    }
    let address = request.url.prefix { $0 != "?" }
    return [
      .ok("server", "\(address) answers, with status \(response.status)"),
      clock(response.headers["Date"], now: environment.now()),
    ]
  }

  private static func clock(_ date: String?, now: Timestamp) -> Check {
    guard let seconds = date.flatMap(HTTPDate.seconds) else {
      return .warning("clock", "the server tells no time", next: "compare the clocks by hand")
    }
    let skew = now.milliseconds / 1000 - seconds
    guard abs(skew) > smallSkew else { return .ok("clock", "as the server's") }
    let span = Wording.span(milliseconds: abs(skew) * 1000)
    let text = "this computer is \(span) \(skew > 0 ? "ahead of" : "behind") the server"
    let next = "set the clock, by NTP for example"
    return abs(skew) > largeSkew
      ? .problem("clock", text, next: next) : .warning("clock", text, next: next)
  }
}
