// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleNetworking
import AnoleNetworkingTesting
import Testing

struct IdentityCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let kind: CertificateFolder.Kind
  /// A part of what the error says; nil where the request succeeds.
  let complaint: String?
}

let identityCases = [
  IdentityCase(testDescription: "right", kind: .right, complaint: nil),
  IdentityCase(
    testDescription: "for another host", kind: .otherHost,
    complaint: "no alternative certificate subject name matches"),
  IdentityCase(testDescription: "expired", kind: .expired, complaint: "certificate has expired"),
  IdentityCase(testDescription: "self-signed", kind: .selfSigned, complaint: "self-signed"),
]

@Suite("HTTP: connections", .timeLimit(.minutes(2)))
struct ConnectionTests {
  @Test("IPv6 addresses are reached")
  func ipv6() async throws {
    try await withTransport(address: .ipv6) { emulator, transport async throws in
      #expect(emulator.baseURL?.hasPrefix("http://[::1]:") == true)
      let response = try await transport.send(emulator.dataFileRequest())
      #expect(response.text == Bodies.file)
      #expect(emulator.requests().first?.header("Host") == "[::1]:\(emulator.port ?? 0)")
    }
  }

  @Test("a connection that is closed at once is lost; the next one is used")
  func refused() async throws {
    try await withTransport { emulator, transport async throws in
      emulator.refuseConnections(times: 1)
      #expect(await transport.failure(of: emulator.dataFileRequest())?.code == .connectionLost)
      let response = try await transport.send(emulator.dataFileRequest())
      #expect(response.text == Bodies.file)
    }
  }

  @Test("nobody listens")
  func nobody() async throws {
    // The port belongs to a socket, so that no other test gets it.
    let (descriptor, port) = try bindOnLoopback(listens: false)
    defer { closeDescriptor(descriptor) }
    let transport = CurlTransport(.direct)
    defer { transport.shutdown() }
    let error = await transport.failure(of: HTTPRequest(url: "http://127.0.0.1:\(port)/"))
    #expect(error?.code == .connectFailed)
  }

  @Test(
    "only a valid certificate for the host passes", .enabled(if: CertificateFolder.isAvailable),
    arguments: identityCases)
  func certificates(_ row: IdentityCase) async throws {
    let folder = try await CertificateFolder.make(row.kind)
    defer { folder.remove() }
    var configuration = CurlTransport.Configuration.direct
    configuration.caFile = folder.authority
    let identity = try folder.identity
    try await withTransport(identity: identity, configuration: configuration) {
      emulator, transport async throws in
      #expect(emulator.baseURL?.hasPrefix("https://127.0.0.1:") == true)
      guard let complaint = row.complaint else {
        let response = try await transport.send(emulator.dataFileRequest())
        #expect(response.text == Bodies.file)
        return
      }
      let error = await transport.failure(of: emulator.dataFileRequest())
      #expect(error?.code == .tlsFailed)
      #expect(error?.message.contains(complaint) == true, "\(error?.message ?? "")")
      #expect(emulator.requests().isEmpty)
    }
  }

  @Test(
    "without its authority a right certificate is not trusted",
    .enabled(if: CertificateFolder.isAvailable))
  func unknownAuthority() async throws {
    let folder = try await CertificateFolder.make(.right)
    defer { folder.remove() }
    let identity = try folder.identity
    try await withTransport(identity: identity) { emulator, transport async throws in
      #expect(await transport.failure(of: emulator.dataFileRequest())?.code == .tlsFailed)
    }
  }

  @Test("requests go through a proxy, which gets their whole address")
  func proxy() async throws {
    let proxy = Emulator()
    try proxy.start()
    defer { proxy.stop() }
    proxy.setDataFile(#"{"by": "proxy"}"#)
    var configuration = CurlTransport.Configuration.direct
    configuration.proxy = .fixed(proxy.baseURL ?? "")
    try await withTransport(configuration: configuration) { emulator, transport async throws in
      let request = emulator.dataFileRequest()
      #expect(try await transport.send(request).text == #"{"by": "proxy"}"#)
      #expect(proxy.requests().map(\.target) == [request.url])
      #expect(proxy.requests().map(\.route) == [.dataFile])
      #expect(emulator.requests().isEmpty)
    }
  }

  @Test("a proxy that refuses the tunnel of a secure request gives no answer")
  func tunnelRefused() async throws {
    try await withTransport { proxy, _ async throws in
      var configuration = CurlTransport.Configuration.direct
      configuration.proxy = .fixed(proxy.baseURL ?? "")
      let transport = CurlTransport(configuration)
      defer { transport.shutdown() }
      let error = await transport.failure(
        of: HTTPRequest(url: "https://data.example/", headers: ["Authorization": "Bearer t"]))
      #expect(error?.code == .connectFailed)
      let tunnel = try #require(proxy.requests().first)
      #expect(tunnel.method == "CONNECT")
      #expect(tunnel.header("Authorization") == nil)
    }
  }
}
