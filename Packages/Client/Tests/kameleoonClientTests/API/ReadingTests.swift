// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import kameleoonClient

private let variation = Types.Variation(
  name: "On", key: "on", id: 5, experimentId: 6,
  variables: Dictionary(
    uniqueKeysWithValues: [
      Types.Variable(key: "vip", type: "BOOLEAN", value: true),
      Types.Variable(key: "one", type: "NUMBER", value: 1),
      Types.Variable(key: "half", type: "NUMBER", value: 0.5),
      Types.Variable(key: "whole", type: "NUMBER", value: 4.0),
      Types.Variable(key: "huge", type: "NUMBER", value: 1e300),
      Types.Variable(key: "text", type: "STRING", value: "1"),
      Types.Variable(key: "none", type: "JSON", value: nil),
      Types.Variable(
        key: "banner", type: "JSON", value: ["title": "Hi", "sizes": [1, 2], "wide": true]),
    ].map { ($0.key, $0) }))

@Suite("Reading variables by type")
struct ReadingTests {
  private struct Banner: Decodable, Equatable {
    let title: String
    let sizes: [Int]
    let wide: Bool
  }

  @Test("a Boolean is read from Booleans alone")
  func bool() {
    #expect(variation.bool("vip", default: false))
    for key in ["one", "half", "text", "none", "banner", "missing"] {
      #expect(variation.bool(key, default: true), "\(key)")
      #expect(!variation.bool(key, default: false), "\(key)")
    }
  }

  @Test("a whole number is read from whole numbers alone, never from Booleans")
  func int() {
    #expect(variation.int("one", default: -7) == 1)
    #expect(variation.int("whole", default: -7) == 4)
    for key in ["vip", "half", "huge", "text", "none", "banner", "missing"] {
      #expect(variation.int(key, default: -7) == -7, "\(key)")
    }
  }

  @Test("a number is read from numbers of both kinds, never from Booleans")
  func double() {
    #expect(variation.double("one", default: -7) == 1)
    #expect(variation.double("half", default: -7) == 0.5)
    #expect(variation.double("huge", default: -7) == 1e300)
    for key in ["vip", "text", "none", "banner", "missing"] {
      #expect(variation.double(key, default: -7) == -7, "\(key)")
    }
  }

  @Test("a text is read from texts alone")
  func string() {
    #expect(variation.string("text", default: "-") == "1")
    for key in ["vip", "one", "half", "none", "banner", "missing"] {
      #expect(variation.string(key, default: "-") == "-", "\(key)")
    }
  }

  @Test("any value is decoded into a type of one's own")
  func decode() throws {
    #expect(
      try variation.decode("banner", as: Banner.self)
        == Banner(title: "Hi", sizes: [1, 2], wide: true))
    #expect(try variation.decode("one", as: Int.self) == 1)
    #expect(try variation.decode("vip", as: Bool.self) == true)
    #expect(try variation.decode("text", as: String.self) == "1")
    #expect(try variation.decode("half", as: Double.self) == 0.5)
  }

  @Test("a value that is missing or has another form is an error that names it")
  func decodeFailures() {
    let missing = #expect(throws: VariableError.self) {
      try variation.decode("missing", as: Int.self)
    }
    #expect(missing?.code == .missing)
    #expect(
      missing?.localizedDescription
        == "variable \"missing\" of variation \"on\" has no value; check its spelling")
    #expect(throws: VariableError.self) { try variation.decode("none", as: Int.self) }
    for (key, type) in [("vip", "Int"), ("one", "Bool"), ("text", "Int"), ("half", "Int")] {
      let error = #expect(throws: VariableError.self) {
        if type == "Int" {
          _ = try variation.decode(key, as: Int.self)
        } else {
          _ = try variation.decode(key, as: Bool.self)
        }
      }
      #expect(error?.code == .mismatch)
      #expect(
        error?.message.hasPrefix("variable \"\(key)\" of variation \"on\" is no \(type): ") == true)
    }
  }

  @Test("a variation is written as JSON and read again; whole numbers become `Int`")
  func codable() throws {
    func copy(_ variation: Types.Variation) throws -> Types.Variation {
      try JSONDecoder().decode(Types.Variation.self, from: JSONEncoder().encode(variation))
    }
    let read = try copy(variation)
    #expect(read.variables["whole"]?.value as? Int == 4)
    #expect(try copy(read) == read)
    var (expected, others) = (variation.variables, read.variables)
    expected["whole"] = nil
    others["whole"] = nil
    #expect(others == expected)
    #expect(read.name == "On" && read.key == "on" && read.id == 5 && read.experimentId == 6)
  }
}
