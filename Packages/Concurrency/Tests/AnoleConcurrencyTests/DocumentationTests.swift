// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import Foundation
import Testing

@Suite("Documentation")
struct DocumentationTests {
  @Test("the example does what it says")
  func example() async throws {
    let clock = ManualClock()
    let failures = Lock(3)
    async let calls = retry(clock: clock, random: RandomSource(seed: 1)) {
      failures.withLock { left in
        defer { left -= 1 }
        return left == 0
      }
    }
    for seconds in [2, 4, 8] {
      await clock.untilSleeping()
      clock.advance(by: .seconds(seconds))
    }
    #expect(try await calls == 4)
  }

  @Test(
    "the documents show the example that is compiled here",
    arguments: ["README.md", "Sources/AnoleConcurrency/AnoleConcurrency.docc/AnoleConcurrency.md"])
  func sameExample(_ document: String) throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let package = tests.deletingLastPathComponent().deletingLastPathComponent()
    let source = try String(
      contentsOf: tests.appendingPathComponent("Example.swift"), encoding: .utf8)
    let code = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .joined(separator: "\n")
    let page = try String(contentsOf: package.appendingPathComponent(document), encoding: .utf8)
    #expect(page.contains("```swift\n\(code)```\n"))
  }
}
