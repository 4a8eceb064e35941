// SPDX-License-Identifier: Apache-2.0

import AnoleDocumentationExamples
import AnoleEmulator
import AnoleNetworking
import AnoleTesting
import Foundation
import Testing
import kameleoonClient

/// Collects what examples find out, in order.
final class Notes: Effects {
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(of: String.self)
  }

  /// Waits for the next note.
  func next() async -> String? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }

  /// Waits for so many notes; they are sorted, since callbacks of several calls come in any order.
  func next(_ count: Int) async -> [String] {
    var notes: [String] = []
    for _ in 0..<count { notes.append(await next() ?? "nothing") }
    return notes.sorted()
  }

  /// The notes so far; none come after it.
  func all() async -> [String] {
    continuation.finish()
    var notes: [String] = []
    for await note in stream { notes.append(note) }
    return notes
  }

  func applyDiscount(value: Double) { note("discount \(value)") }

  func applyVariation(recommendedProductsNumber: Int) {
    note("products \(recommendedProductsNumber)")
  }

  func note(_ text: String) { continuation.yield(text) }
}

/// A platform on loopback, and a client of it.
struct Stage: Sendable {
  let emulator: Emulator
  let client: any AnoleClient
  let notes = Notes()
  var examples: Examples

  /// Starts a platform with the data file of the examples, and makes a client.
  ///
  /// - Parameters:
  ///   - siteCode: The site code; each test has its own, since the factory keeps clients by it.
  ///   - visitorCode: The visitor code.
  ///   - emulator: A platform that runs already.
  ///   - waits: Whether the client is ready when this returns.
  init(
    _ siteCode: String, visitorCode: String = "visitor", emulator running: Emulator? = nil,
    waits: Bool = true
  ) async throws {
    if let running {
      emulator = running
    } else {
      emulator = Emulator()
      emulator.setDataFile(try Self.dataFile())
      try emulator.start()
    }
    var options = ClientOptions(
      proxy: .none, store: .memory, callbackExecutor: InlineCallbackExecutor())
    options.redirectEndpoints(port: Int(try #require(emulator.port)))
    client = try KameleoonClientFactory.create(
      siteCode: siteCode, visitorCode: visitorCode, config: KameleoonClientConfig(),
      options: options)
    examples = Examples(kameleoonClient: client, effects: notes)
    examples.siteCode = siteCode
    if waits { try await client.runWhenReady(timeoutMilliseconds: 60_000) }
  }

  /// Ends the client and the platform.
  func end() async {
    await client.close()
    emulator.stop()
  }

  /// Sends what is to be reported, and returns all events that the platform has accepted.
  func report() async throws -> [TrackedEvent] {
    let count = emulator.requests(.tracking).count
    client.flush(instant: true)
    try await emulator.waitForRequests(count: count + 1, route: .tracking)
    return emulator.acceptedEvents
  }

  static func fixture() throws -> URL {
    try #require(
      Bundle.module.url(
        forResource: "documentation", withExtension: "json", subdirectory: "Fixtures"))
  }

  static func dataFile() throws -> String {
    try String(contentsOf: fixture(), encoding: .utf8)
  }
}
