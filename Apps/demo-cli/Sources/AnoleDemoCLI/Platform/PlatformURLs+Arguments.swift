// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking

extension PlatformURLs {
  /// The addresses for a base such as `http://127.0.0.1:8080`, or the platform's own.
  ///
  /// - Throws: a sentence if the base is no such address.
  static func reading(
    siteCode: String, environment: String? = nil, networkDomain: String? = nil,
    base: String? = nil, sdk: ClientIdentity
  ) throws(Failure) -> PlatformURLs {
    let domain = NetworkDomain.read(networkDomain)
    if networkDomain != nil, domain.domain == nil {
      let reason = domain.diagnostic.map { ": \($0)" } ?? ""
      throw Failure("--network-domain \(Printable.quote(networkDomain ?? ""))\(reason)")
    }
    var overrides: [PlatformEndpoint: EndpointAddress] = [:]
    if let base {
      let address = try address(of: base)
      for endpoint in PlatformEndpoint.allCases { overrides[endpoint] = address }
    }
    return PlatformURLs(
      siteCode: siteCode, environment: environment, identity: sdk,
      hosts: PlatformHosts(networkDomain: domain.domain), overrides: overrides)
  }

  /// The address that a base such as `http://127.0.0.1:8080` names.
  ///
  /// - Throws: a sentence if it is no such address.
  static func address(of base: String) throws(Failure) -> EndpointAddress {
    let parts = base.split(separator: "://", maxSplits: 1)
    let authority = parts.count == 2 ? parts[1] : ""
    let colon = authority.lastIndex(of: ":")
    let isBracketed = authority.last == "]"
    let host = colon.map { isBracketed ? authority : authority[..<$0] } ?? authority
    let port = colon.flatMap { isBracketed ? nil : Int(authority[authority.index(after: $0)...]) }
    let hasPort = colon != nil && !isBracketed
    guard parts.count == 2, ["http", "https"].contains(parts[0]), !host.isEmpty,
      !authority.contains("/"), !hasPort || port.map((1...65_535).contains) == true
    else {
      throw Failure(
        "--endpoint wants an address such as http://127.0.0.1:8080, not \(Printable.quote(base))")
    }
    return EndpointAddress(scheme: String(parts[0]), host: String(host), port: port)
  }
}
