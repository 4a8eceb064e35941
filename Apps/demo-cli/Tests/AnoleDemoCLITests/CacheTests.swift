// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels
import AnoleNetworking
import Testing
import kameleoonClient

@testable import AnoleDemoCLI

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Cache")
struct CacheTests {
  /// Runs work with a folder that has an event of a tracker and the state of a client.
  private func withState(_ work: (String) async throws -> Void) async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let stored = await run(
      "track", "conversion", "77", "--visitor", "secret-visitor", "--store", folder + "/track/shop")
    #expect(stored.status == 0)
    let emulator = Emulator()
    emulator.setDataFile(
      ShopDataFile.text, lastModified: HTTPDate.text(testTime), entityTag: "\"tag-1\"")
    try emulator.start()
    defer { emulator.stop() }
    var options = ClientOptions(store: .folder(folder))
    options.redirectEndpoints(port: Int(try #require(emulator.port)))
    // The registry keeps clients by site: one a test.
    let client = try KameleoonClientFactory.create(
      siteCode: "cached-\(UUID())", visitorCode: "secret-visitor", config: KameleoonClientConfig(),
      options: options)
    try await client.runWhenReady()
    _ = try client.getVariation(featureKey: "checkout")
    await client.close()
    try await work(folder)
  }

  /// Changes bytes of a file.
  private func replace(_ old: String, with new: String, in path: String) throws {
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let wanted = Array(old.utf8)
    try #require(wanted.count == new.utf8.count)
    let place = try #require(
      (0...(bytes.count - wanted.count)).first {
        bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
      }
    )
    bytes.replaceSubrange(place..<(place + wanted.count), with: Array(new.utf8))
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private func clientFile(_ folder: String) throws -> String {
    let name = try FileManager.default.contentsOfDirectory(atPath: folder)
      .first { $0.hasPrefix("cached-") }
    return "\(folder)/\(try #require(name))/anole.sqlite"
  }

  @Test("shows data file, visitors and waiting events, and nobody's code unless asked")
  func show() async throws {
    try await withState { folder in
      let document = try await runJSON("cache", "show", "--store", folder)
      let stores = document["stores"]?.arrayValue ?? []
      try #require(stores.count == 2)
      #expect(stores[0]["dataFile"]?["bytes"]?.integerValue == Int64(ShopDataFile.text.utf8.count))
      #expect(stores[0]["dataFile"]?["flags"] == 5)
      #expect(stores[0]["dataFile"]?["dateModified"] == 1_767_225_600_000)
      #expect(stores[0]["dataFile"]?["entityTag"] == "\"tag-1\"")
      #expect(stores[0]["visitors"] == 1)
      #expect(stores[0]["intact"] == true)
      #expect(stores[1]["path"] == "track/shop")
      #expect(stores[1]["events"]?["waiting"] == 1)
      let text = await run("cache", "show", "--store", folder)
      #expect(!text.text.contains("secret-visitor"))
      #expect(!document.text().contains("secret-visitor"))
      let revealed = await run("cache", "show", "--store", folder, "--reveal")
      #expect(revealed.text.contains("visitor code  secret-visitor"))
    }
  }

  @Test("looking changes nothing")
  func unchanged() async throws {
    try await withState { folder in
      let path = folder + "/track/shop/anole.sqlite"
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      _ = await run("cache", "show", "--store", folder)
      let output = await run("cache", "verify", "--store", folder)
      // How much of the client's own has been sent by then depends on its intervals.
      #expect(output.text.contains(": whole (2 stores, "))
      #expect(output.status == 0)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
  }

  @Test("verify finds an event, a data file and a database that are not as written")
  func damage() async throws {
    try await withState { folder in
      try replace("goalId=77", with: "goalId=78", in: folder + "/track/shop/anole.sqlite")
      try replace("\"dateModified\"", with: "\"dateModifiee\"", in: try clientFile(folder))
      let garbage = folder + "/garbage"
      try FileManager.default.createDirectory(
        atPath: garbage, withIntermediateDirectories: false)
      try String(repeating: "no database ", count: 1000)
        .write(toFile: garbage + "/anole.sqlite", atomically: true, encoding: .utf8)
      let output = await run("cache", "verify", "--store", folder)
      #expect(output.status == 1)
      let findings = output.text.split(separator: "\n").dropLast()
        .map { $0.drop { $0 != ":" } }
      #expect(
        findings == [
          ": 1 record is not as written in \"project\"; a client drops what it finds so [records]",
          ": cannot be read: file is not a database (SQLite code 26) [unreadable]",
          ": 1 waiting event is not as written; a client drops what it finds so [events]",
        ])
      #expect(await run("cache", "show", "--store", folder).status == 1)
      #expect(
        try await runJSON("cache", "verify", "--store", folder)["findings"]?.arrayValue?.count == 3)
      // Nothing was set aside or repaired by looking.
      #expect(await run("cache", "verify", "--store", folder) == output)
    }
  }

  @Test("clear says what would be lost, and removes all with --yes, damaged or not")
  func clear() async throws {
    try await withState { folder in
      let asked = await run("cache", "clear", "--store", folder)
      #expect(asked.status == 1)
      #expect(asked.text.contains("would remove track/shop: 1 event not sent yet\n"))
      #expect(await run("cache", "show", "--store", folder).text.contains("1 item waits"))
      try "no database".write(
        toFile: try clientFile(folder), atomically: true, encoding: .utf8)
      let done = await run("cache", "clear", "--yes", "--store", folder)
      #expect(done.status == 0)
      #expect(done.text.contains(": a store that cannot be read\n"))
      #expect(
        await run("cache", "show", "--store", folder).text == "\(folder): nothing is kept there\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["track"])
    }
  }
}
