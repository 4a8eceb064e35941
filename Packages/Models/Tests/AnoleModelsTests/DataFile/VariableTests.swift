// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

struct VariableCase: Sendable, CustomTestStringConvertible {
  let type: String
  let token: String
  let expected: VariableValue
  let isReported: Bool
  init(_ type: String, _ token: String, _ expected: VariableValue, isReported: Bool = false) {
    self.type = type
    self.token = token
    self.expected = expected
    self.isReported = isReported
  }
  var testDescription: String { "\(type) \(token)" }
}

/// By hand from the specification of evaluation, section 1.7.
private let variableCases: [VariableCase] = [
  VariableCase("BOOLEAN", "true", .bool(true)),
  VariableCase("BOOLEAN", "false", .bool(false)),
  VariableCase("NUMBER", "5", .int(5)),
  VariableCase("NUMBER", "-5", .int(-5)),
  VariableCase("NUMBER", "5.0", .int(5)),
  VariableCase("NUMBER", "5e2", .int(500)),
  VariableCase("NUMBER", "5.5", .double(5.5)),
  VariableCase("NUMBER", "1e-3", .double(0.001)),
  VariableCase("NUMBER", "9223372036854775807", .int(.max)),
  VariableCase("NUMBER", "9223372036854775808", .double(9_223_372_036_854_775_808)),
  VariableCase("NUMBER", "1", .int(1)),
  VariableCase("NUMBER", "0", .int(0)),
  VariableCase("STRING", #""""#, .string("")),
  VariableCase("STRING", #""5""#, .string("5")),
  VariableCase("STRING", #""true""#, .string("true")),
  VariableCase("CSS", #""a { b: c }""#, .string("a { b: c }")),
  VariableCase("JS", #""f()""#, .string("f()")),
  VariableCase("JSON", #""{\"a\":[1,2.5,true,null]}""#, .json(["a": [1, 2.5, true, nil]])),
  VariableCase("JSON", #""[]""#, .json([])),
  VariableCase("JSON", #""{}""#, .json([:])),
  VariableCase("JSON", #""42""#, .int(42)),
  VariableCase("JSON", #"" 4.5 ""#, .double(4.5)),
  VariableCase("JSON", #""true""#, .bool(true)),
  VariableCase("JSON", #""\"text\"""#, .string("text")),
  VariableCase("JSON", #""null""#, .null),
  VariableCase("JSON", #""{""#, .null, isReported: true),
  VariableCase("JSON", #""""#, .null, isReported: true),
  VariableCase("JSON", #""text""#, .null, isReported: true),
  VariableCase("JSON", #""[1] 2""#, .null, isReported: true),
  VariableCase("JSON", "{\"a\":1}", .null, isReported: true),
  VariableCase("JSON", "5", .null, isReported: true),
  VariableCase("COLOR", #""red""#, .string("red")),
  VariableCase("COLOR", "7", .int(7)),
  VariableCase("COLOR", "true", .bool(true)),
  VariableCase("COLOR", "{\"r\":1}", .json(["r": 1])),
  VariableCase("COLOR", "[1]", .json([1])),
  VariableCase("COLOR", "null", .null),
  VariableCase("json", #""{}""#, .string("{}")),
  VariableCase("", #""x""#, .string("x")),
  VariableCase("STRING", "null", .null),
]

@Suite("Variables")
struct VariableTests {
  @Test("a value is converted as its type says", arguments: variableCases)
  func conversion(_ row: VariableCase) throws {
    let reading = try read(
      """
      {"featureFlags":[{"variations":[{"variables":
      [{"value":\(row.token),"key":"k","type":"\(row.type)"}]}]}]}
      """)
    let variables = reading.dataFile.featureFlags.first?.variations.first?.variables
    #expect(variables == [Variable(key: "k", type: row.type, value: row.expected)])
    let path = "featureFlags[0].variations[0].variables[0].value"
    #expect(reading.diagnostics.map(\.path) == (row.isReported ? [path] : []))
  }

  @Test("kinds are never converted into each other")
  func accessors() {
    #expect(VariableValue.bool(true).intValue == nil)
    #expect(VariableValue.bool(true).doubleValue == nil)
    #expect(VariableValue.bool(true).boolValue == true)
    #expect(VariableValue.int(1).boolValue == nil)
    #expect(VariableValue.int(1).intValue == 1)
    #expect(VariableValue.int(1).doubleValue == 1)
    #expect(VariableValue.double(1.5).intValue == nil)
    #expect(VariableValue.double(1.5).doubleValue == 1.5)
    #expect(VariableValue.string("1").intValue == nil)
    #expect(VariableValue.string("1").doubleValue == nil)
    #expect(VariableValue.string("1").stringValue == "1")
    #expect(VariableValue.int(1).stringValue == nil)
    #expect(VariableValue.null.stringValue == nil)
    #expect(VariableValue.json([]).stringValue == nil)
  }

  @Test("a value turns into JSON and back without a change")
  func roundTrip() {
    let values: [VariableValue] = [
      .null, .bool(false), .int(.min), .double(0.1), .string("é"), .json(["a": [nil]]),
    ]
    for value in values { #expect(VariableValue(value.jsonValue) == value) }
  }

  @Test("a number beyond doubles keeps its text, and integers of 64 bits are exact")
  func bigNumbers() throws {
    #expect(VariableValue(try JSONValue(parsing: "1e400")) == .string("1e400"))
    #expect(
      VariableValue(try JSONValue(parsing: "9007199254740993")) == .int(9_007_199_254_740_993))
  }
}

@Suite("Custom data catalogue")
struct CustomDataCatalogueTests {
  private func definition(
    _ index: Int, id: Int64? = nil, name: String? = nil,
    scope: CustomDataDefinition.Scope? = nil, isLocalOnly: Bool = false, isMapping: Bool = false
  ) -> CustomDataDefinition {
    var definition = CustomDataDefinition(index: index)
    definition.id = id
    definition.name = name
    definition.scope = scope
    definition.isLocalOnly = isLocalOnly
    definition.isMappingIdentifier = isMapping
    return definition
  }

  @Test("later entries overwrite earlier ones")
  func laterWins() {
    let catalogue = CustomDataCatalogue([
      definition(1, id: 10, name: "plan"), definition(2, id: 10, name: "plan"),
      definition(3, id: 11, name: "other"),
    ])
    #expect(catalogue.index(ofID: 10) == 2)
    #expect(catalogue.index(named: "plan") == 2)
    #expect(catalogue.index(ofID: 11) == 3)
    #expect(catalogue.index(ofID: 12) == nil)
  }

  @Test("the last mapping identifier wins")
  func mapping() {
    let catalogue = CustomDataCatalogue([
      definition(1, isMapping: true), definition(5, isMapping: true), definition(6),
    ])
    #expect(catalogue.mappingIndex == 5)
    #expect(CustomDataCatalogue([definition(1)]).mappingIndex == nil)
    #expect(CustomDataCatalogue().mappingIndex == nil)
  }

  @Test("names are compared byte by byte")
  func names() {
    let catalogue = CustomDataCatalogue([
      definition(1, name: "caf\u{E9}"), definition(2, name: "cafe\u{301}"),
      definition(3, name: ""),
    ])
    #expect(catalogue.index(named: "caf\u{E9}") == 1)
    #expect(catalogue.index(named: "cafe\u{301}") == 2)
    #expect(catalogue.index(named: "CAF\u{C9}") == nil)
    #expect(catalogue.index(named: " caf\u{E9}") == nil)
    #expect(catalogue.index(named: "") == 3)
  }

  @Test("only the visitor scope is looked at, and only what is local only is held back")
  func scopes() {
    let catalogue = CustomDataCatalogue([
      definition(1, scope: .visitor), definition(2, scope: .visit), definition(3, scope: .page),
      definition(4, scope: .other("visitor")), definition(5, isLocalOnly: true), definition(6),
    ])
    #expect(
      (0...7).map(catalogue.hasVisitorScope) == [false, true] + Array(repeating: false, count: 6))
    #expect((0...7).filter(catalogue.isLocalOnly) == [5])
  }
}
