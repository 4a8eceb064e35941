// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleNetworking
import Foundation
import Testing

@Suite("Documentation")
struct NetworkingDocumentationTests {
  private final class Count: Sendable {
    let value = Lock(0)
  }

  @Test("the first example sends compressed lines")
  func delivers() async throws {
    let transport = ScriptedTransport(statuses: 204)
    try await deliver(["one", "two"], over: transport)
    let request = try #require(transport.requests.first)
    #expect(request.headers["Content-Encoding"] == "gzip")
    #expect(try Gzip.decompress(request.body ?? []) == Array("one\ntwo".utf8))
  }

  @Test("the second example refreshes for updates and after a loss")
  func follows() async {
    let clock = ManualClock()
    let server = StreamServer()
    let source = EventSource(
      HTTPRequest(url: "https://events.example.com/"), transport: server, clock: clock)
    let count = Count()
    let following = Task {
      await follow(source) { count.value.withLock { $0 += 1 } }
    }
    while server.liveCount == 0 { await Task.yield() }
    while !source.hasConnection { await Task.yield() }
    server.push("event: other\ndata: 1\n\nevent: update\ndata: 2\n\n")
    server.end()
    while !source.isPausing { await Task.yield() }
    await clock.untilSleeping()
    clock.advance(by: .seconds(4))
    while count.value.withLock({ $0 }) < 2 { await Task.yield() }
    await source.close()
    await following.value
    #expect(count.value.withLock { $0 } == 2)
  }

  @Test(
    "the documents show the examples that are compiled here",
    arguments: ["README.md", "Sources/AnoleNetworking/AnoleNetworking.docc/AnoleNetworking.md"])
  func sameExample(_ document: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let source = try String(
      contentsOf: folder.appendingPathComponent("Example.swift"), encoding: .utf8)
    let code = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .joined(separator: "\n")
    let page = try String(
      contentsOf: FixtureFile.package.appendingPathComponent(document), encoding: .utf8)
    #expect(page.contains("```swift\n\(code)```\n"))
  }
}
