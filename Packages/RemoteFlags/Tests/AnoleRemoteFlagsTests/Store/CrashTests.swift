// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleStorage
import AnoleStorageTesting
import Foundation
import Testing

@testable import AnoleRemoteFlags

@Suite("Killed processes", .serialized)
struct CrashTests {
  @Test(
    "RF-90: after kill -9 at any point of a refresh the store has the old or the new set, whole")
  func kills() throws {
    let folder = try TemporaryFolder(isInMemory: true)
    var generator = SplitMix64(seed: 90)
    let rounds = TestRun.isLong ? 200 : 12
    var last = 0
    for round in 0..<rounds {
      let template = TestFlag(
        "flagINDEX", rule: "r_REVISION", #"{"revision":REVISION,"filling":"FILLING"}"#
      ).text
      let writer = try ChildProcess.writer([folder.store, template])
      var confirmed = last
      // It goes on refreshing while the lines are read, so it dies wherever it happens to be.
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        guard let line = writer.line() else { break }
        confirmed = try #require(Int(line), "round \(round): \(line)")
      }
      writer.kill()
      for line in writer.lines() { confirmed = Int(line) ?? confirmed }
      last = try check(folder.store, atLeast: confirmed, "round \(round)")
    }
    #expect(last > 0)
  }

  /// Reads as the next process would; returns the revision of the set.
  private func check(_ folder: String, atLeast confirmed: Int, _ place: String) throws -> Int {
    let store = SQLiteStorage(SQLiteStorage.Configuration(folder: folder))
    var configuration = RemoteFlagsConfiguration(
      applicationCode: "A1B2C-D3E4F", store: store, transport: ScriptedServer())
    configuration.deviceID = Rig.device
    let client = RemoteFlagsClient(configuration)
    let flags = client.flags
    guard !flags.isEmpty else {
      #expect(confirmed == 0, "\(place): nothing is left of revision \(confirmed)")
      return 0
    }
    let revisions = Set(flags.map { Int($0.number(forProperty: "revision", default: -1)) })
    let revision = try #require(revisions.first)
    #expect(revisions.count == 1, "\(place): a mixture of \(revisions)")
    #expect(revision >= confirmed, "\(place): \(revision) is older than what was confirmed")
    #expect(flags.count == 20 + revision % 7, "\(place)")
    for flag in flags {
      let filling = flag.string(forProperty: "filling", default: nil)
      #expect(filling?.utf8.count == revision * 37 % 500, "\(place)")
    }
    return revision
  }
}
