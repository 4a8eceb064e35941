// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import Testing

@testable import AnoleRemoteFlags

@Suite("Tables and layers")
struct TableTests {
  @Test("a table finds every key and no other, of any size and number")
  func table() {
    var generator = SplitMix64(seed: 1)
    for count in [0, 1, 2, 3, 4, 5, 8, 9, 100, 2_000] {
      var pairs: [(key: String, value: Int)] = []
      for index in 0..<count {
        let length = Int.random(in: 0...40, using: &generator)
        pairs.append(("\(index)" + String(repeating: "é", count: length), index))
      }
      let table = ByteTable(pairs)
      #expect(table.count == count)
      for pair in pairs {
        #expect(table[pair.key] == pair.value)
        #expect(table[pair.key + "x"] == nil)
        #expect(table[String(pair.key.dropLast()) + "~"] == nil)
      }
      #expect(table[""] == nil)
      let keys = (0..<count).map { table.key(at: $0) }
      #expect(keys == pairs.map(\.key).sorted { $0.precedesByBytes($1) })
    }
  }

  @Test("an empty key is a key, and the later of two equal ones counts")
  func oddKeys() {
    let table = ByteTable([(key: "", value: 1), (key: "a", value: 2), (key: "", value: 3)])
    #expect(table[""] == 3)
    #expect(table["a"] == 2)
    #expect(table.count == 2)
  }

  @Test(
    "text nested without measure is cut into layers that parse alone",
    arguments: [1, 47, 48, 49, 71, 72, 73, 144, 5_000])
  func layers(_ depth: Int) throws {
    let text =
      String(repeating: #"{"a":["]}\"",["#, count: depth / 2)
      + String(repeating: "]]}", count: depth / 2)
    let layers = JSONLayers(Array(text.utf8))
    if depth / 2 * 3 <= JSONLayers.depth {
      #expect(layers.outer == Array(text.utf8))
      #expect(layers.inner.isEmpty)
    } else {
      #expect(layers.inner.count == (depth / 2 * 3 - 1) / JSONLayers.depth)
    }
    if depth > 1 { _ = try layers.value() }
  }

  @Test(
    "what is no JSON stays none in any layer",
    arguments: ["[", "]", "[}", "[1,]", "[\"", "{]", "[1 2]", "[nul]"])
  func brokenLayers(_ core: String) {
    for depth in [0, 70, 71, 72, 73, 150, 350] {
      let text = String(repeating: "[", count: depth) + core + String(repeating: "]", count: depth)
      #expect(throws: JSONError.self) { try JSONLayers(Array(text.utf8)).value() }
    }
  }

  @Test("an impression log forgets rather than grows without end")
  func impressionLimit() {
    var log = ImpressionLog()
    func key(_ number: Int) -> ImpressionLog.Key {
      ImpressionLog.Key(
        session: 1, user: ExactText("u"), flag: ExactText("\(number)"), rule: ExactText("r"),
        isEnabled: true)
    }
    for number in 0...ImpressionLog.limit {
      let isNew = log.begin(key(number))
      #expect(isNew)
      log.end(key(number), isDelivered: true)
    }
    let latest = log.begin(key(ImpressionLog.limit))
    let oldest = log.begin(key(0))
    #expect(!latest && oldest)
  }
}
