// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleNetworking
import Foundation
import Testing
import kameleoonClient

/// A network where nobody answers.
private struct NoNetwork: HTTPTransport {
  private static let error = HTTPError(code: .connectFailed, message: "there is no network")

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse { throw Self.error }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream { throw Self.error }
}

@Suite("Creating a client")
struct CreationTests {
  private struct Case: Decodable {
    let input: String?
    let `repeat`: String?
    let count: Int?
    let valid: Bool

    /// The code; nil stands for a missing one, which here means that one is generated.
    var code: String? {
      if let text = `repeat`, let count { return String(repeating: text, count: count) }
      return input
    }
  }

  private let options = ClientOptions(
    store: .memory, transport: NoNetwork(), clock: ManualClock(),
    wallClock: ManualWallClock().clock, callbackExecutor: InlineCallbackExecutor())

  @Test("every recorded visitor code: valid ones are kept as they are, others are refused")
  func visitorCodes() async throws {
    let cases = try VectorFile.cases("vectors_visitor_code", as: Case.self)
    #expect(cases.count == 10)
    for row in cases {
      guard let code = row.code else { continue }
      if row.valid {
        let client = try create("creation-codes", code)
        #expect(Array(client.visitorCode.unicodeScalars) == Array(code.unicodeScalars))
        await client.close()
      } else {
        #expect(throws: KameleoonError.visitorCodeInvalid(code)) {
          try create("creation-codes", code)
        }
      }
    }
  }

  @Test("an empty site code is refused")
  func siteCode() {
    #expect(throws: KameleoonError.siteCodeIsEmpty) { try create("", "v") }
  }

  @Test("without a code one of 16 small letters and digits is made")
  func generated() async throws {
    let client = try create("creation-generated", nil)
    #expect(client.visitorCode.utf8.count == 16)
    #expect(
      client.visitorCode.utf8.allSatisfy { byte in
        "abcdefghijklmnopqrstuvwxyz0123456789".utf8.contains(byte)
      })
    await client.close()
  }

  @Test("equal arguments give the same object, another code another one, also by the short form")
  func identity() async throws {
    let client = try create("creation-identity", "v")
    #expect(try create("creation-identity", "v") === client)
    let other = try create("creation-identity", "w")
    #expect(other !== client)
    let short = try KameleoonClientFactory.create(
      siteCode: "creation-identity", visitorCode: "v", config: KameleoonClientConfig())
    #expect(short === client)
    #expect(short as? any AnoleClient === client)
    await client.close()
    await other.close()
  }

  private func create(_ siteCode: String, _ visitorCode: String?) throws -> any AnoleClient {
    try KameleoonClientFactory.create(
      siteCode: siteCode, visitorCode: visitorCode, config: KameleoonClientConfig(),
      options: options)
  }
}
