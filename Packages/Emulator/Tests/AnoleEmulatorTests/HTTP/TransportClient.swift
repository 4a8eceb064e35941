// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEmulator
import AnoleNetworking

/// Runs a body with an emulator that serves a data file, and a transport that reaches it.
func withTransport(
  _ emulator: Emulator = Emulator(), address: LoopbackAddress = .ipv4,
  identity: ServerIdentity? = nil, configuration: CurlTransport.Configuration = .direct,
  _ body: (Emulator, CurlTransport) async throws -> Void
) async throws {
  emulator.setDataFile(Bodies.file, lastModified: Bodies.date)
  try emulator.start(address: address, identity: identity)
  let transport = CurlTransport(configuration)
  defer {
    transport.shutdown()
    emulator.stop()
  }
  try await body(emulator, transport)
}

enum Bodies {
  static let file = #"{"featureFlags": []}"#
  static let date = "Mon, 24 Nov 2025 16:00:00 GMT"
}

extension CurlTransport.Configuration {
  /// No proxy, whatever the environment of the tests says.
  static var direct: Self { Self(userAgent: HTTPUserAgent("anole-tests/1.0"), proxy: .none) }
}

extension Emulator {
  /// A request for the data file; without a time limit, so that a test's end does not hang on time.
  func dataFileRequest(timeout: Duration? = nil) -> HTTPRequest {
    HTTPRequest(url: (baseURL ?? "") + "/v3/tstsite001", timeout: timeout)
  }

  /// A tracking request.
  func trackingRequest(_ body: String, timeout: Duration? = nil) -> HTTPRequest {
    HTTPRequest(
      method: .post, url: (baseURL ?? "") + "/visit/events?siteCode=tstsite001",
      headers: ["Content-Type": "*/*"], body: Array(body.utf8), timeout: timeout)
  }
}

extension HTTPTransport {
  /// The error of a request; nil if it succeeds.
  func failure(of request: HTTPRequest) async -> HTTPError? {
    do {
      _ = try await send(request)
      return nil
    } catch {
      return error
    }
  }

  /// What a stream hands out, and the error that ends it; nil if it is read to its end.
  func read(_ request: HTTPRequest) async -> (bytes: [UInt8], error: HTTPError?) {
    var bytes: [UInt8] = []
    do {
      for try await piece in try await open(request).body { bytes += piece }
      return (bytes, nil)
    } catch {
      return (bytes, error as? HTTPError)
    }
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}
