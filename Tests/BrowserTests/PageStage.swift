// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels
import AnoleNetworking
import AnoleTesting
import Foundation
import Testing
import kameleoonClient

/// A platform on loopback with the data of a shop, and its control page in a browser.
struct PageStage {
  let emulator: Emulator
  let browser: Browser

  /// Opens the page of a platform; afterwards everything is gone.
  ///
  /// - Parameter token: The token that the platform asks for, as it does where other computers reach it.
  static func with(
    dataFile: String? = nil, remoteFlags: String? = nil, token: String? = nil,
    _ body: (PageStage) async throws -> Void
  ) async throws {
    let emulator = Emulator()
    emulator.setDataFile(
      try dataFile ?? fixture("shop"), lastModified: "Mon, 24 Nov 2025 16:00:00 GMT")
    try emulator.setRemoteFlags(try remoteFlags ?? fixture("remote"))
    if let token {
      try emulator.start(exposedAt: "127.0.0.1", token: token)
    } else {
      try emulator.start()
    }
    defer { emulator.stop() }
    try await Browser.with { browser in
      let stage = PageStage(emulator: emulator, browser: browser)
      try await browser.open("\(try stage.address)/\(token.map { "?token=\($0)" } ?? "")")
      try await browser.wait("document.querySelector('#link').dataset.state === 'on'")
      try await body(stage)
      #expect(try await browser.console() == [])
      #expect(await !browser.hasDialog())
      let places = try await browser.addresses()
      #expect(places.count > 10)
      let base = "\(try stage.address)/"
      #expect(places.filter { !$0.hasPrefix(base) } == [])
    }
  }

  static func fixture(_ name: String) throws -> String {
    let file = try #require(
      Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures"))
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// Takes a picture of the page for people to look at, at a width in pixels.
  func photograph(_ name: String, width: Int, isDark: Bool) async throws {
    let folder = Self.pictures
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try await browser.setWindow(width: width, isDark: isDark)
    let wide = try await browser.run("return document.documentElement.scrollWidth")
    #expect(wide.integerValue == Int64(width), "\(name): the page is wider than the window")
    let file = "\(name)-\(width)-\(isDark ? "dark" : "light").png"
    try await browser.screenshot().write(to: folder.appendingPathComponent(file))
  }

  /// Where pictures are written.
  static let pictures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent(".build/screenshots")

  var address: String {
    get throws { try #require(emulator.baseURL) }
  }

  /// A client of the platform that follows its stream.
  func client(_ siteCode: String, visitorCode: String) async throws -> RunningClient {
    var options = ClientOptions(
      proxy: .none, store: .memory, callbackExecutor: InlineCallbackExecutor())
    options.redirectEndpoints(port: Int(try #require(emulator.port)))
    let client = try KameleoonClientFactory.create(
      siteCode: siteCode, visitorCode: visitorCode, config: KameleoonClientConfig(),
      options: options)
    let (updates, continuation) = AsyncStream.makeStream(of: Void.self)
    client.updateConfigurationHandler { continuation.yield() }
    try await client.runWhenReady(timeoutMilliseconds: 60_000)
    try await emulator.waitForOpenStreams(count: 1)
    return RunningClient(client: client, updates: updates)
  }
}

/// A client and the news that it has got another configuration.
struct RunningClient {
  let client: any AnoleClient
  let updates: AsyncStream<Void>

  /// Waits until the client has a configuration in which something holds.
  func waitUntil(_ holds: () -> Bool) async {
    for await _ in updates where holds() { return }
  }

  /// The key of the variation of a flag; nil if there is none.
  func variation(_ flag: String, track: Bool = false) -> String? {
    do {
      return try client.getVariation(featureKey: flag, track: track).key
    } catch {
      return nil
    }
  }
}
