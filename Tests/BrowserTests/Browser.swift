// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking
import Foundation

/// A headless Chromium, driven by the WebDriver protocol.
final class Browser: Sendable {
  /// How long a condition of a page is waited for; no test depends on its value.
  private static let patience = 20_000

  private let transport: CurlTransport
  private let session: String

  /// Opens a browser, lets a body use it, and closes it whatever happens.
  static func with(_ body: (Browser) async throws -> Void) async throws {
    guard let programs = Driver.programs else {
      throw BrowserError(description: "chromium or chromedriver is missing: run scripts/setup")
    }
    let driver = try await Driver.start(programs.driver)
    let transport = CurlTransport(CurlTransport.Configuration(proxy: .none))
    let outcome: Result<Void, any Error>
    do {
      let browser = try await Browser(driver, programs.browser, transport)
      try await body(browser)
      // The browser may be gone before it answers; the driver's end takes it along in any case.
      _ = try? await browser.debugger("Browser.close", [:])
      outcome = .success(())
    } catch {
      outcome = .failure(error)
    }
    transport.shutdown()
    try await driver.stop()
    try outcome.get()
  }

  private init(_ driver: Driver, _ program: String, _ transport: CurlTransport) async throws {
    let arguments: [JSONValue] = [
      "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
      "--no-proxy-server", "--remote-debugging-pipe", "--no-first-run", "--hide-scrollbars",
      "--disable-background-networking", "--disable-component-update",
    ]
    let wanted: JSONValue = [
      "capabilities": [
        "alwaysMatch": [
          "goog:loggingPrefs": ["browser": "ALL", "performance": "ALL"],
          "timeouts": ["script": .number(.integer(Int64(Self.patience + 5_000)))],
          "goog:chromeOptions": ["binary": .string(program), "args": .array(arguments)],
        ]
      ]
    ]
    let answer = try await Self.send(.post, "\(driver.address)/session", wanted, transport)
    guard let id = answer["sessionId"]?.stringValue else {
      throw BrowserError(description: "no session: \(answer)")
    }
    self.transport = transport
    session = "\(driver.address)/session/\(id)"
  }

  private static func send(
    _ method: HTTPRequest.Method, _ url: String, _ body: JSONValue?, _ transport: CurlTransport
  ) async throws -> JSONValue {
    var request = HTTPRequest(
      method: method, url: url, body: body.map { Array($0.text().utf8) },
      timeout: .seconds(60))
    request.headers["Content-Type"] = "application/json"
    let response = try await transport.send(request)
    let answer = try JSONValue(parsing: response.body)
    guard response.status == 200 else {
      throw BrowserError(description: "\(url): \(answer["value"]?["message"] ?? answer)")
    }
    return answer["value"] ?? .null
  }

  @discardableResult
  private func command(
    _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil
  ) async throws -> JSONValue {
    try await Self.send(method, session + path, body, transport)
  }

  // MARK: Pages

  /// Opens a page; returns when it is loaded.
  func open(_ url: String) async throws {
    try await command(.post, "/url", ["url": .string(url)])
  }

  /// Runs the body of a function in the page.
  @discardableResult
  func run(_ script: String, _ arguments: JSONValue...) async throws -> JSONValue {
    try await command(
      .post, "/execute/sync", ["script": .string(script), "args": .array(arguments)])
  }

  /// Waits until an expression over `args` becomes true in the page.
  func wait(
    _ expression: String, _ arguments: JSONValue...,
    sourceLocation: String = "\(#fileID):\(#line)"
  ) async throws {
    let script = """
      const done = arguments[arguments.length - 1];
      const args = [...arguments].slice(0, -1);
      const end = performance.now() + \(Self.patience);
      (function look() {
        let value = false;
        try { value = (\(expression)); } catch (error) { value = false; }
        if (value) done(true);
        else if (performance.now() > end) done(false);
        else setTimeout(look, 10);
      })();
      """
    let isTrue = try await command(
      .post, "/execute/async", ["script": .string(script), "args": .array(arguments)])
    guard isTrue == true else {
      throw BrowserError(description: "\(sourceLocation): never true: \(expression), \(arguments)")
    }
  }

  // MARK: Hands

  /// A key that is no character, as WebDriver names it.
  enum Key: String {
    case tab = "\u{E004}"
    case enter = "\u{E007}"
    case space = "\u{E00D}"
    case end = "\u{E010}"
    case home = "\u{E011}"
    case left = "\u{E012}"
    case right = "\u{E014}"
  }

  /// Presses keys, wherever the focus is.
  func press(_ keys: Key...) async throws {
    let strokes = keys.flatMap { key -> [JSONValue] in
      ["keyDown", "keyUp"].map { ["type": .string($0), "value": .string(key.rawValue)] }
    }
    try await command(
      .post, "/actions",
      ["actions": [["type": "key", "id": "keyboard", "actions": .array(strokes)]]])
  }

  /// Clicks the first element of a selector, as a mouse does: it must be visible and not covered.
  func click(_ selector: String) async throws {
    let found = try await command(
      .post, "/element", ["using": "css selector", "value": .string(selector)])
    guard let id = found.objectValue?.first?.value.stringValue else {
      throw BrowserError(description: "no \(selector)")
    }
    try await command(.post, "/element/\(id)/click", [:])
  }

  /// Puts the focus on the first element of a selector.
  func focus(_ selector: String) async throws {
    try await run(
      "document.querySelector(arguments[0]).focus({focusVisible: true})", .string(selector))
  }

  // MARK: Findings

  /// Whether a dialog is open.
  func hasDialog() async -> Bool {
    do {
      try await command(.get, "/alert/text")
      return true
    } catch {
      return false
    }
  }

  /// What the page wrote to the console since this was last asked: errors and violated policies among it.
  func console() async throws -> [String] {
    let entries = try await command(.post, "/se/log", ["type": "browser"])
    return (entries.arrayValue ?? []).map { $0["message"]?.stringValue ?? "\($0)" }
  }

  /// The addresses that were asked for since this was last asked.
  func addresses() async throws -> [String] {
    let entries = try await command(.post, "/se/log", ["type": "performance"])
    return try (entries.arrayValue ?? []).compactMap { entry in
      let message = try JSONValue(parsing: entry["message"]?.stringValue ?? "null")["message"]
      guard message?["method"] == "Network.requestWillBeSent" else { return nil }
      return message?["params"]?["request"]?["url"]?.stringValue
    }
  }

  /// Sets the width of the page in pixels, and whether the user likes it dark.
  func setWindow(width: Int, isDark: Bool) async throws {
    try await debugger(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .number(.integer(Int64(width))), "height": 900, "deviceScaleFactor": 1,
        "mobile": false,
      ])
    let scheme: JSONValue = [
      "name": "prefers-color-scheme", "value": .string(isDark ? "dark" : "light"),
    ]
    try await debugger("Emulation.setEmulatedMedia", ["features": [scheme]])
  }

  /// A picture of the whole page, PNG.
  func screenshot() async throws -> Data {
    let size = try await run(
      "const e = document.documentElement; return [e.clientWidth, e.scrollHeight]")
    let answer = try await debugger(
      "Page.captureScreenshot",
      [
        "format": "png", "captureBeyondViewport": true,
        "clip": ["x": 0, "y": 0, "width": size[0] ?? 0, "height": size[1] ?? 0, "scale": 1],
      ])
    guard let data = answer["data"]?.stringValue.flatMap({ Data(base64Encoded: $0) }) else {
      throw BrowserError(description: "no picture: \(answer)")
    }
    return data
  }

  @discardableResult
  private func debugger(_ name: String, _ parameters: JSONValue) async throws -> JSONValue {
    try await command(
      .post, "/goog/cdp/execute", ["cmd": .string(name), "params": parameters])
  }
}
