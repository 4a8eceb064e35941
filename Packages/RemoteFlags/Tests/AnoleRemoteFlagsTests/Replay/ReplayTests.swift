// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleRemoteFlags

@Suite("The worked examples through curl and a server on loopback", .serialized)
struct ReplayTests {
  @Test("there are 61 examples with 87 requests")
  func complete() {
    #expect(ReplayExample.all.count == 61)
    let exchanges = ReplayExample.all.flatMap(\.steps).flatMap(ReplayExample.exchanges)
    #expect(exchanges.count == 87)
  }

  @Test("each example behaves as it says", arguments: ReplayExample.all)
  func live(_ example: ReplayExample) async throws {
    let run = try ReplayRun(example)
    do {
      for index in example.steps.indices { try await run.run(index) }
    } catch {
      await run.end()
      throw error
    }
    await run.end()
  }

  @Test(
    "restarted after any of its steps, each example serves what was stored",
    arguments: ReplayExample.all)
  func restarted(_ example: ReplayExample) async throws {
    for last in example.steps.indices {
      let run = try ReplayRun(example)
      do {
        for index in 0...last { try await run.run(index) }
        try await run.checkRestart(last)
      } catch {
        await run.end()
        throw error
      }
      await run.end()
    }
  }
}
