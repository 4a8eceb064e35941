// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleNetworking
import Foundation
import Testing
import kameleoonClient

@Suite("The examples of the documentation")
struct ExampleTests {
  private static let dataFile = """
    {"featureFlags": [
      {"id": 1, "featureKey": "pricing", "environmentEnabled": true, "defaultVariationKey": "new",
        "rules": [], "variations": [{"key": "new", "name": "New",
          "variables": [{"key": "price", "type": "NUMBER", "value": 8.5}]}]},
      {"id": 2, "featureKey": "banner", "environmentEnabled": true, "defaultVariationKey": "on",
        "rules": [], "variations": [{"key": "on", "name": "On",
          "variables": [{"key": "title", "type": "STRING", "value": "Hello"}]}]}]}
    """

  @Test("the price comes from the variation, and from the code where there is no client ready")
  func price() async throws {
    let client = try KameleoonClientFactory.create(
      siteCode: "example-price", visitorCode: "v",
      config: KameleoonClientConfig(defaultDataFile: Self.dataFile), options: Self.options)
    #expect(Shop.price(for: client) == 8.5)
    await client.close()
    #expect(Shop.price(for: client) == 10)
  }

  @Test("a client is followed until it is closed, and explained")
  func beyond() async throws {
    let client = try KameleoonClientFactory.create(
      siteCode: "example-beyond", visitorCode: "v",
      config: KameleoonClientConfig(defaultDataFile: Self.dataFile), options: Self.options)
    try await Shop.explain(client)
    let titles = Lock<[String]>([])
    var closing: Task<Void, Never>?
    await Shop.follow(client) { title in
      titles.withLock { $0.append(title) }
      closing = Task { await client.close() }
    }
    await closing?.value
    #expect(titles.withLock { $0 } == ["Hello"])
  }

  @Test("the options are as the example sets them")
  func options() {
    let options = Shop.options()
    #expect(options.store == .folder("/var/lib/shop"))
    #expect(options.requestHeaders(HTTPRequest(url: "https://example.com"))["x-team"] == "shop")
    #expect(options.proxy == .fixed("http://proxy.example.com:3128"))
  }

  @Test(
    "README and documentation page show the examples as they are compiled",
    arguments: ["README.md", "Sources/kameleoonClient/kameleoonClient.docc/kameleoonClient.md"])
  func documentation(_ file: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let package = folder.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: package.appendingPathComponent(file), encoding: .utf8)
    for name in ["first", "beyond", "options"] {
      let example = try Self.section(name, of: folder.appendingPathComponent("Example.swift"))
      #expect(text.contains("```swift\n\(example)\n```"), "\(example)")
    }
  }

  private static var options: ClientOptions {
    ClientOptions(
      store: .memory, transport: Silence(), clock: ManualClock(),
      wallClock: ManualWallClock().clock, callbackExecutor: InlineCallbackExecutor())
  }

  /// The lines between two marks, without the indentation they have in common.
  private static func section(_ name: String, of file: URL) throws -> String {
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    func line(_ mark: String) -> Int? {
      lines.firstIndex { $0.drop { $0 == " " } == "// [\(mark)]" }
    }
    let (start, end) = (try #require(line(name)), try #require(line("/\(name)")))
    let indentation = lines[start].prefix { $0 == " " }.count
    return lines[(start + 1)..<end].map { String($0.dropFirst(indentation)) }
      .joined(separator: "\n")
  }
}

/// A network where nobody answers.
private struct Silence: HTTPTransport {
  private static let error = HTTPError(code: .connectFailed, message: "there is no network")

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse { throw Self.error }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream { throw Self.error }
}
