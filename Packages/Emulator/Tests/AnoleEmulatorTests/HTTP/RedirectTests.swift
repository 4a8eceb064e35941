// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleNetworking
import Testing

@Suite("HTTP: redirects", .timeLimit(.minutes(2)))
struct RedirectTests {
  @Test("another host gets no credentials, the same host keeps them")
  func credentials() async throws {
    let other = Emulator()
    try other.start()
    defer { other.stop() }
    other.setDataFile("{}")
    try await withTransport { emulator, transport async throws in
      var request = emulator.dataFileRequest()
      request.headers = ["Authorization": "Bearer t", "Cookie": "c=1", "X-Kept": "k"]
      emulator.addFault(.redirect(to: "/v3/same"), on: .dataFile)
      emulator.addFault(.redirect(to: "\(other.baseURL ?? "")/v3/other"), on: .dataFile)
      #expect(try await transport.send(request).text == "{}")
      #expect(emulator.requests().map { $0.header("Authorization") } == ["Bearer t", "Bearer t"])
      let arrived = try #require(other.requests().first)
      #expect(arrived.path == "/v3/other")
      #expect(arrived.header("Authorization") == nil)
      #expect(arrived.header("Cookie") == nil)
      #expect(arrived.header("X-Kept") == "k")
    }
  }

  @Test("307 and 308 keep method and body", arguments: [307, 308])
  func keepsBody(_ status: Int) async throws {
    try await withTransport { emulator, transport async throws in
      let target = "/visit/events?siteCode=moved"
      emulator.addFault(.redirect(to: target, status: status), on: .tracking)
      let response = try await transport.send(emulator.trackingRequest("nonce=1"))
      #expect(response.status == 204)
      let requests = emulator.requests()
      #expect(requests.map(\.method) == ["POST", "POST"])
      #expect(requests.map(\.text) == ["nonce=1", "nonce=1"])
      #expect(requests.last?.target == target)
    }
  }

  @Test("301, 302 and 303 go on with GET and without body", arguments: [301, 302, 303])
  func dropsBody(_ status: Int) async throws {
    try await withTransport { emulator, transport async throws in
      emulator.addFault(.redirect(to: "/v3/s", status: status), on: .tracking)
      let response = try await transport.send(emulator.trackingRequest("nonce=1"))
      #expect(response.text == Bodies.file)
      let last = try #require(emulator.requests().last)
      #expect(last.method == "GET")
      #expect(last.body.isEmpty)
      #expect(last.header("Content-Type") == nil)
    }
  }

  @Test("a loop ends after eight redirects")
  func loop() async throws {
    try await withTransport { emulator, transport async throws in
      emulator.addFault(.redirect(to: "/v3/tstsite001", status: 308), on: .dataFile, times: nil)
      let error = await transport.failure(of: emulator.dataFileRequest())
      #expect(error?.code == .tooManyRedirects)
      #expect(emulator.requests().count == 9)
    }
  }

  @Test("the limit of an attempt counts over all redirects")
  func limit() async throws {
    try await withTransport { emulator, transport async throws in
      emulator.addFault(.redirect(to: "/v3/next"), on: .dataFile)
      emulator.addFault(.neverAnswer, on: .dataFile)
      let error = await transport.failure(
        of: emulator.dataFileRequest(timeout: .milliseconds(100)))
      #expect(error?.code == .timedOut)
    }
  }
}
