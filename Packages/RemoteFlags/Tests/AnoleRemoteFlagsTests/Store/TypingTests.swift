// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking
import AnoleStorage
import AnoleStorageTesting
import Foundation
import Testing

@testable import AnoleRemoteFlags

@Suite("Types of values, before and after a round trip through the store")
struct TypingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let expected: JSONValue
    var testDescription: String { text }
  }

  /// The table beside the fixtures: each text is one value, with what typed reads must give.
  static let rows: [Row] = {
    guard
      let url = Bundle.module.url(
        forResource: "Fixtures/json-typing-cases", withExtension: "json"),
      let data = try? Data(contentsOf: url), let root = try? JSONValue(parsing: [UInt8](data))
    else { return [] }
    return (root["cases"]?.arrayValue ?? []).compactMap { row in
      guard let text = row[0]?.stringValue, let expected = row[1] else { return nil }
      return Row(text: text, expected: expected)
    }
  }()

  @Test("the table is there")
  func hasRows() {
    #expect(Self.rows.count == 21)
  }

  @Test("each value gives the types that the table lists and no other", arguments: rows)
  func table(_ row: Row) async throws {
    let folder = try TemporaryFolder(isInMemory: true)
    let rig = Rig(
      ScriptedServer { _ in .flags(TestFlag("f", #"{"v":\#(row.text)}"#)) },
      store: try DiskStore(folder))
    await rig.refresh()
    try check(#require(rig.client.get("f")), row.expected)
    rig.relaunch()
    try check(#require(rig.client.get("f")), row.expected)
  }

  private func check(_ flag: RemoteFlag, _ expected: JSONValue) throws {
    // Two defaults tell a value from a default.
    let bools = [true, false].map { flag.bool(forProperty: "v", default: $0) }
    if let wanted = expected["bool"] {
      #expect(bools == (wanted.boolValue.map { [$0, $0] } ?? [true, false]))
    }
    let strings = ["x", nil].map { flag.string(forProperty: "v", default: $0) }
    if let wanted = expected["string"] {
      #expect(strings == (wanted.stringValue.map { [$0, $0] } ?? ["x", nil]))
    }
    let integers = [7, -7].map { flag.integer(forProperty: "v", default: $0) }
    if let wanted = expected["int"] {
      let value = wanted.stringValue.flatMap { Int64($0) }
      #expect(integers == (value.map { [$0, $0] } ?? [7, -7]))
    }
    let doubles = [7.5, -7.5].map { flag.number(forProperty: "v", default: $0) }
    #expect(doubles.allSatisfy { $0.isFinite })
    if let wanted = expected["double"] {
      let value = wanted.stringValue.flatMap { Double($0) }
      let both = value.map { [$0, $0] } ?? [7.5, -7.5]
      #expect(doubles.map(\.bitPattern) == both.map(\.bitPattern))
    }
    if expected["isNull"] == true { #expect(flag.value(forProperty: "v") == nil) }
    if let kinds = expected["array"]?.arrayValue {
      let elements = try #require(flag.jsonArray(forProperty: "v"))
      #expect(elements.map(Self.kind) == kinds.map(\.stringValue))
    }
    if let keys = expected["object"]?.arrayValue {
      let members = try #require(flag.jsonObject(forProperty: "v"))
      #expect(members.map(\.key) == keys.map(\.stringValue))
      #expect(members.map(\.value) == [nil, [nil]])
    }
  }

  private static func kind(_ value: JSONValue) -> String? {
    switch value {
    case .bool: "bool"
    case .number(.integer): "int"
    default: nil
    }
  }

  @Test("field case 3: number one is not true, before and after the restart")
  func numberOne() async throws {
    let folder = try TemporaryFolder(isInMemory: true)
    let text = #"{"max_items":1,"vip":true,"zero":0,"big":9007199254740993,"half":0.5}"#
    let rig = Rig(
      ScriptedServer { _ in .flags(TestFlag("checkout", text)) },
      store: try DiskStore(folder))
    await rig.refresh()
    for _ in 0..<2 {
      let flag = try #require(rig.client.get("checkout"))
      #expect(!flag.bool(forProperty: "max_items", default: false))
      #expect(flag.number(forProperty: "vip", default: 5) == 5)
      #expect(flag.bool(forProperty: "zero", default: true))
      #expect(flag.number(forProperty: "big", default: 0) == 9_007_199_254_740_992)
      #expect(flag.integer(forProperty: "big", default: 0) == 9_007_199_254_740_993)
      #expect(flag.string(forProperty: "vip", default: "x") == "x")
      let texts = ["max_items", "vip", "zero", "big", "half"].map {
        flag.value(forProperty: $0)?.text()
      }
      #expect(texts == ["1", "true", "0", "9007199254740993", "0.5"])
      rig.relaunch()
    }
  }

  @Test("field case 5: a change of user during a running fetch")
  func userChange() async throws {
    let folder = try TemporaryFolder(isInMemory: true)
    let rig = Rig(
      ScriptedServer { call in
        guard call.isForFlags else { return .done }
        return call.user == "anna" ? .held : .flags(TestFlag("checkout", false))
      }, store: try DiskStore(folder)
    ) { $0.userID = "anna" }
    rig.client.refresh(completion: nil)
    await rig.settle()
    await rig.advance(0.1)
    rig.client.setUserID("ben")
    #expect(rig.client.get("checkout") == nil)
    await rig.settle()
    #expect(rig.server.flagCalls.map(\.user) == ["anna", "ben"])
    #expect(!rig.client.isEnabled("checkout", default: true))
    #expect(rig.log.listenerCalls == 1)
    await rig.advance(1.9)
    rig.server.release(.flags(TestFlag("checkout")))
    await rig.settle()
    #expect(!rig.client.isEnabled("checkout", default: true))
    #expect(rig.log.listenerCalls == 1)
    #expect(rig.stored?["user_id"] == "ben")
    rig.server.answer { _ in .failure(.connectFailed) }
    rig.relaunch { $0.userID = nil }
    #expect(rig.client.userID == "ben")
    #expect(!rig.client.isEnabled("checkout", default: true))
  }
}
