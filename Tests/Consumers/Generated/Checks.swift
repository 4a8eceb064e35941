// SPDX-License-Identifier: Apache-2.0

import AnoleTesting
import Foundation
import kameleoonClient

/// Counts what was compared, and keeps what differs.
final class Checks {
  private(set) var count = 0
  private(set) var failures: [String] = []
  /// What is looked at, for the sentences.
  var place = ""

  func check(_ isTrue: Bool, _ sentence: @autoclosure () -> String) {
    count += 1
    if !isTrue { failures.append("\(place): \(sentence())") }
  }

  func same<Value: Equatable>(_ value: Value?, _ expected: Value, _ name: String) {
    check(value == expected, "\(name) is \(String(describing: value)), not \(expected)")
  }

  func same(_ value: Int?, number: Int, _ name: String) { same(value, number, name) }

  func same(_ value: Double?, number: Double, _ name: String) { same(value, number, name) }

  func missing<Value>(_ value: Value?, _ name: String) {
    check(value == nil, "\(name) is \(String(describing: value)), not nil")
  }

  func bytes(_ value: String, _ expected: [UInt8], _ name: String) {
    check(Array(value.utf8) == expected, "\(name) is \(value.debugDescription)")
  }
}

/// Clients with the flags of a data file.
struct Stage {
  private let dataFile: Types.DataFile

  /// Reads a data file by a real client.
  init(_ text: String, siteCode: String) async throws {
    let client = try KameleoonClientFactory.create(
      siteCode: siteCode, visitorCode: "anna", config: KameleoonClientConfig(),
      options: .testing(transport: ScriptedTransport(.json(text))))
    try await client.runWhenReady()
    dataFile = try client.getDataFile()
    await client.close()
  }

  /// A client that serves a variation of a flag.
  func client(_ key: String, serving variation: String) -> InMemoryClient {
    let client = InMemoryClient()
    let variations = dataFile.featureFlags[key].map { Array($0.variations.values) } ?? []
    client.set(key, variations: variations, serving: variation)
    return client
  }

  /// A client that serves a variation that the data file does not have.
  func clientServingNew(_ key: String) -> InMemoryClient {
    let client = InMemoryClient()
    client.set(key, Types.Variation(key: "brand_new"))
    return client
  }

  /// A client in whose environment a flag is switched off.
  func clientSwitchedOff(_ key: String) -> InMemoryClient {
    let client = clientServingNew(key)
    client.setEnvironment(of: key, isEnabled: false)
    return client
  }
}
