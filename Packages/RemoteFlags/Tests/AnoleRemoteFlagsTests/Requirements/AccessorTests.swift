// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleStorage
import Foundation
import Testing

@testable import AnoleRemoteFlags

@Suite("Accessors (section 1.1)")
struct AccessorTests {
  private static let values = #"""
    {"text":"green","digits":"5","json":"{\"a\":1}","one":1,"zero":0,"half":0.5,"yes":true,"no":false,
    "object":{"a":1,"b":true},"list":[1,"x"],"null":null,"Case":"upper","big":9007199254740993,
    "long":9223372036854775807,"u64":18446744073709551615,"below":-9223372036854775809,"over":1e400,"under":-1e999,
    "tiny":5e-324,"minus":-0.0,"nested":{"deep":[1e400]},"keptNull":{"n":null}}
    """#

  private func flag(_ values: String = Self.values) async throws -> RemoteFlag {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("f", values)) })
    await rig.refresh()
    return try #require(rig.client.get("f"))
  }

  @Test("RF-10: string gives a String, else the default, which may be nil")
  func string() async throws {
    let flag = try await flag()
    #expect(flag.string(forProperty: "text", default: "blue") == "green")
    #expect(flag.string(forProperty: "none", default: "blue") == "blue")
    #expect(flag.string(forProperty: "none", default: nil) == nil)
    #expect(flag.string(forProperty: "one", default: "blue") == "blue")
  }

  @Test("RF-11: number gives a Number as Double, integers included, else the default")
  func number() async throws {
    let flag = try await flag()
    #expect(flag.number(forProperty: "one", default: 9) == 1)
    #expect(flag.number(forProperty: "half", default: 9) == 0.5)
    #expect(flag.number(forProperty: "tiny", default: 9) == .leastNonzeroMagnitude)
    #expect(flag.number(forProperty: "minus", default: 9).sign == .minus)
    #expect(flag.number(forProperty: "none", default: 9) == 9)
    #expect(flag.number(forProperty: "text", default: 9) == 9)
  }

  @Test("RF-12: bool gives a Boolean, else the default")
  func bool() async throws {
    let flag = try await flag()
    #expect(flag.bool(forProperty: "yes", default: false))
    #expect(!flag.bool(forProperty: "no", default: true))
    #expect(flag.bool(forProperty: "none", default: true))
    #expect(!flag.bool(forProperty: "none", default: false))
  }

  @Test("RF-13: jsonObject gives the members of an object, else nil")
  func object() async throws {
    let flag = try await flag()
    #expect(
      flag.jsonObject(forProperty: "object").map { JSONValue.object($0) } == ["a": 1, "b": true])
    for other in ["list", "text", "json", "one", "null", "none"] {
      #expect(flag.jsonObject(forProperty: other) == nil)
    }
  }

  @Test("RF-14: jsonArray gives the elements of an array, else nil")
  func array() async throws {
    let flag = try await flag()
    #expect(flag.jsonArray(forProperty: "list") == [1, "x"])
    for other in ["object", "text", "one", "null", "none"] {
      #expect(flag.jsonArray(forProperty: other) == nil)
    }
  }

  @Test("RF-15: property keys match exactly, case included")
  func exactKeys() async throws {
    let flag = try await flag()
    #expect(flag.string(forProperty: "Case", default: nil) == "upper")
    for other in ["case", "CASE", "Case ", ""] {
      #expect(flag.string(forProperty: other, default: nil) == nil)
    }
  }

  @Test("RF-16: nothing is converted, and null counts as missing")
  func noConversion() async throws {
    let flag = try await flag()
    #expect(flag.number(forProperty: "yes", default: 5) == 5)
    #expect(flag.integer(forProperty: "yes", default: 5) == 5)
    #expect(!flag.bool(forProperty: "one", default: false))
    #expect(flag.bool(forProperty: "zero", default: true))
    #expect(flag.number(forProperty: "digits", default: 7) == 7)
    #expect(flag.jsonObject(forProperty: "json") == nil)
    #expect(flag.string(forProperty: "yes", default: "x") == "x")
    #expect(flag.value(forProperty: "null") == nil)
    #expect(!flag.propertyKeys.contains("null"))
    #expect(flag.string(forProperty: "null", default: "x") == "x")
  }

  @Test(
    "RF-17: values keep their type through store and reload; 64 levels are accepted, 65 are not")
  func nesting() async throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    func members(_ levels: Int) -> String {
      String(repeating: #"{"a":"#, count: levels) + "1" + String(repeating: "}", count: levels)
    }
    let values = """
      {"ok":\(nested(64)),"deep":\(nested(65)),"abyss":\(nested(30_000)),"okObject":\(members(64)),
      "deepObject":\(members(65)),"mixed":{"i":1,"d":2.5,"w":2.0,"t":true,"n":null,"l":[1,1.5,false,null]},
      "last":"here"}
      """
    let rig = Rig(
      ScriptedServer { _ in .flags(TestFlag("f", values), TestFlag("g")) },
      store: try DiskStore())
    await rig.refresh()
    let before = try #require(rig.client.get("f"))
    rig.relaunch()
    let after = try #require(rig.client.get("f"))
    #expect(after == before)
    #expect(rig.client.get("g") != nil)
    for flag in [before, after] {
      #expect(flag.propertyKeys == ["last", "mixed", "ok", "okObject"])
      let mixed = try #require(flag.value(forProperty: "mixed"))
      #expect(
        mixed.text() == #"{"d":2.5,"i":1,"l":[1,1.5,false,null],"n":null,"t":true,"w":2.0}"#)
    }
  }

  @Test("RF-17: a deep value that is no JSON makes the whole answer unusable")
  func brokenDepth() async {
    let open = String(repeating: "[", count: 300)
    for broken in [
      open + String(repeating: "]", count: 299), open + "1,]" + String(repeating: "]", count: 299),
    ] {
      let rig = Rig(ScriptedServer { _ in .flags(TestFlag("f", "{\"a\":\(broken)}")) })
      #expect(await rig.refresh() == 200)
    }
  }

  @Test(
    "RF-18: a number beyond Double makes its property absent; large integers become the nearest")
  func numbers() async throws {
    let flag = try await flag()
    #expect(flag.number(forProperty: "over", default: -1) == -1)
    #expect(flag.number(forProperty: "under", default: -1) == -1)
    #expect(flag.value(forProperty: "nested") == nil)
    #expect(flag.number(forProperty: "big", default: 0) == 9_007_199_254_740_992)
    #expect(flag.integer(forProperty: "big", default: 0) == 9_007_199_254_740_993)
    #expect(flag.number(forProperty: "long", default: 0) == 9_223_372_036_854_775_808)
    #expect(flag.number(forProperty: "u64", default: 0) == 18_446_744_073_709_551_616)
    #expect(flag.integer(forProperty: "u64", default: 3) == 3)
    #expect(flag.integer(forProperty: "below", default: 3) == 3)
    #expect(flag.number(forProperty: "below", default: 0) == -9_223_372_036_854_775_808)
    #expect(flag.string(forProperty: "text", default: nil) == "green")
  }

  @Test("RF-19: keys and values may be any text; two forms of é are two keys")
  func unicode() async throws {
    let rig = Rig(
      ScriptedServer { _ in
        .flags(
          TestFlag("caf\u{e9}", true, "{\"\u{446}\u{432}\u{435}\u{442}\":\"\u{7ea2}\u{8272}\"}"),
          TestFlag("cafe\u{301}", false, "{\"\u{e9}\":1,\"e\u{301}\":2}"),
          TestFlag("🛒\u{0}", true, #"{"👩‍💻":"ok","":"empty"}"#))
      },
      store: try DiskStore())
    await rig.refresh()
    for _ in 0..<2 {
      #expect(rig.client.flags.count == 3)
      #expect(rig.client.isEnabled("caf\u{e9}", default: false))
      #expect(!rig.client.isEnabled("cafe\u{301}", default: true))
      let two = rig.client.get("cafe\u{301}")
      #expect(two?.number(forProperty: "\u{e9}", default: 0) == 1)
      #expect(two?.number(forProperty: "e\u{301}", default: 0) == 2)
      let cart = rig.client.get("🛒\u{0}")
      #expect(cart?.string(forProperty: "👩‍💻", default: nil) == "ok")
      #expect(cart?.string(forProperty: "", default: nil) == "empty")
      rig.relaunch()
    }
  }

  @Test("a JSON property decodes into a type of the application, without conversion")
  func decoding() async throws {
    struct Layout: Decodable, Equatable {
      let columns: Int
      let blocks: [String]
    }
    let flag = try await flag(
      #"{"layout":{"columns":2,"blocks":["a"]},"wrong":{"columns":true,"blocks":[]},"n":3}"#)
    #expect(
      try flag.decode(Layout.self, forProperty: "layout") == Layout(columns: 2, blocks: ["a"]))
    #expect(try flag.decode(Int.self, forProperty: "n") == 3)
    #expect(try flag.decode(Layout.self, forProperty: "none") == nil)
    #expect(throws: DecodingError.self) { try flag.decode(Layout.self, forProperty: "wrong") }
    #expect(throws: DecodingError.self) { try flag.decode(Bool.self, forProperty: "n") }
  }
}
