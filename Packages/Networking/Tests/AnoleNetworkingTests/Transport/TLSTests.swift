// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import Testing

@testable import AnoleNetworking

struct CertificateCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var alternativeName = "IP:127.0.0.1,DNS:localhost"
  var isExpired = false
  var selfSigned = false
  var host = "127.0.0.1"
  var trustsAuthority = true
  var passes = false
}

let certificateCases = [
  CertificateCase(testDescription: "right, by address", passes: true),
  CertificateCase(testDescription: "right, by name", host: "localhost", passes: true),
  CertificateCase(testDescription: "for another host", alternativeName: "DNS:other.example"),
  CertificateCase(testDescription: "expired", isExpired: true),
  CertificateCase(testDescription: "self-signed", selfSigned: true),
  CertificateCase(testDescription: "of an unknown authority", trustsAuthority: false),
]

@Suite(
  "Transport: TLS", .timeLimit(.minutes(2)),
  .enabled(if: CertificateFolder.isAvailable, "the openssl command makes the certificates"))
struct TLSTests {
  @Test(
    "only a valid certificate of a trusted authority for the host passes",
    arguments: certificateCases)
  func certificates(_ row: CertificateCase) async throws {
    let folder = try CertificateFolder()
    defer { folder.remove() }
    try folder.make(
      "leaf", alternativeName: row.alternativeName, isExpired: row.isExpired,
      selfSigned: row.selfSigned)
    let (server, port) = try folder.serve("leaf")
    defer { server.stop() }
    var configuration = CurlTransport.Configuration.direct
    configuration.caFile = row.trustsAuthority ? folder.authority : nil
    let transport = CurlTransport(configuration)
    defer { transport.shutdown() }
    let request = HTTPRequest(url: "https://\(row.host):\(port)/")
    if row.passes {
      let response = try await transport.send(request)
      #expect(response.status == 200)
      #expect(response.text.contains("TLSv1.3"))
    } else {
      let error = await transport.failure(of: request)
      #expect(error?.code == .tlsFailed)
      // libcurl's own words say which check failed.
      #expect(error?.message.contains("127.0.0.1:\(port)") == true)
    }
  }

  @Test("HTTP/2 is offered to the server, before HTTP/1.1")
  func offersHTTP2() async throws {
    let hello = Progress()
    let offer = Array("\u{2}h2\u{8}http/1.1".utf8)
    try await withServer { connection in
      let bytes = connection.read() ?? []
      let starts = bytes.indices.dropLast(offer.count)
      hello.record(starts.filter { bytes[$0...].starts(with: offer) }.count)
    } _: { server, transport in
      let error = await transport.failure(
        of: HTTPRequest(url: "https://127.0.0.1:\(server.port)/"))
      #expect(error?.code == .tlsFailed)
      #expect(hello.sent == 1)
    }
  }

  @Test("a CA file that does not exist fails; it is no way to skip the check")
  func missingAuthorities() async throws {
    let folder = try CertificateFolder()
    defer { folder.remove() }
    try folder.make("leaf", alternativeName: "IP:127.0.0.1")
    let (server, port) = try folder.serve("leaf")
    defer { server.stop() }
    var configuration = CurlTransport.Configuration.direct
    configuration.caFile = folder.path + "/missing"
    let transport = CurlTransport(configuration)
    defer { transport.shutdown() }
    let error = await transport.failure(of: HTTPRequest(url: "https://127.0.0.1:\(port)/"))
    #expect(error?.code == .tlsFailed)
  }

  @Test("a server that speaks no TLS fails")
  func noTLS() async throws {
    try await withServer { connection in
      _ = connection.read()
      connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
    } _: { server, transport in
      let error = await transport.failure(
        of: HTTPRequest(url: "https://127.0.0.1:\(server.port)/"))
      #expect(error?.code == .tlsFailed)
    }
  }
}
