// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import Testing

/// A context, a condition that looks at one member of it, and whether it holds.
struct ContextCase: Sendable, CustomTestStringConvertible {
  let condition: String
  let context: String
  let isOn: Bool

  init(_ condition: String, _ context: String, _ isOn: Bool) {
    self.condition = condition
    self.context = context
    self.isOn = isOn
  }

  var testDescription: String { "\(context) \(isOn)" }
}

/// A condition of one type on one field.
private func condition(_ type: String, _ fields: String) -> String {
  #"{"targetingType": "\#(type)", "isInclude": true, \#(fields)}"#
}

private func custom(_ index: Int, _ value: String) -> String {
  condition(
    "CUSTOM_DATUM",
    #""customDataIndex": "\#(index)", "valueMatchType": "EXACT", "value": "\#(value)""#)
}

private let iPad = condition("DEVICE_TYPE", #""device": "TABLET""#)
private let france = condition(
  "GEOLOCATION", #""country": "France", "region": "Bretagne", "city": "Rennes""#)
private let browser = condition(
  "BROWSER", #""browser": "FIREFOX", "version": "120", "versionMatchType": "GREATER""#)
private let version = condition(
  "APPLICATION_VERSION", #""version": "2.9", "versionMatchType": "GREATER""#)
private let cookie = condition(
  "COOKIE",
  #""name": "a", "nameMatchType": "EXACT", "value": "b", "valueMatchType": "EXACT""#)
private let page = condition("PAGE_URL", #""url": "/cart", "matchType": "CONTAINS""#)
private let title = condition("PAGE_TITLE", #""title": "Cart", "matchType": "EXACT""#)

let contextCases: [ContextCase] = [
  ContextCase(custom(3, "gold"), #""plan": "gold""#, true),
  ContextCase(custom(3, "gold"), #""plan": "silver""#, false),
  ContextCase(custom(3, "gold"), #""Plan": "gold""#, false),
  ContextCase(custom(3, "gold"), #""plan": ["silver", "gold"]"#, true),
  ContextCase(custom(3, "gold"), #""plan": [], "3": null"#, false),
  ContextCase(custom(3, "gold"), #""3": "gold""#, true),
  ContextCase(custom(9, "gold"), #""9": "gold""#, true),
  ContextCase(custom(3, "gold"), #""customData": {"plan": "gold"}"#, true),
  ContextCase(custom(3, "gold"), #""customData": {"3": ["gold"]}"#, true),
  ContextCase(custom(3, "true"), #""plan": true"#, true),
  ContextCase(custom(3, "5"), #""plan": 5.0"#, true),
  ContextCase(custom(3, "2.5"), #""plan": 2.5"#, true),
  ContextCase(custom(4, "France"), #""country": "France""#, true),
  ContextCase(custom(4, "7"), #""country": 7"#, true),
  ContextCase(iPad, #""device": "tablet""#, true),
  ContextCase(iPad, #""device": "TABLET""#, true),
  ContextCase(iPad, #""device": "phone""#, false),
  ContextCase(condition("OPERATING_SYSTEM", #""os": "IOS""#), #""os": "iOS""#, true),
  ContextCase(
    condition("OPERATING_SYSTEM", #""os": "WINDOWS_PHONE""#),
    #""operatingSystem": "windows_phone""#, true),
  ContextCase(france, #""country": "france", "region": "bretagne", "city": "rennes""#, true),
  ContextCase(france, #""country": "France", "city": "Rennes""#, false),
  ContextCase(browser, #""browser": "firefox", "browserVersion": 121"#, true),
  ContextCase(browser, #""browser": "firefox", "browserVersion": "121.5""#, true),
  ContextCase(browser, #""browser": "firefox", "browserVersion": 119.0"#, false),
  ContextCase(browser, #""browser": "chrome", "browserVersion": 121"#, false),
  ContextCase(version, #""appVersion": "2.10.1""#, true),
  ContextCase(version, #""appVersion": "2.8""#, false),
  ContextCase(cookie, #""cookies": {"x": "y", "a": "b"}"#, true),
  ContextCase(cookie, #""cookies": {}"#, false),
  ContextCase(page, #""pageUrl": "https://shop.example/cart""#, true),
  ContextCase(title, #""pageUrl": "https://shop.example/cart", "pageTitle": "Cart""#, true),
  ContextCase(
    condition("VISITOR_CODE", #""matchType": "EXACT", "visitorCode": "anna""#),
    #""stranger": 1"#, true),
]

/// A context that cannot be used, and what is said about it.
struct BadContext: Sendable, CustomTestStringConvertible {
  let context: String
  let code: String
  let details: String

  init(_ context: String, _ code: String, _ details: String) {
    self.context = context
    self.code = code
    self.details = details
  }

  var testDescription: String { context }
}

let badContexts: [BadContext] = [
  BadContext("[]", "INVALID_CONTEXT", "context must be an object"),
  BadContext("null", "INVALID_CONTEXT", "context must be an object"),
  BadContext(
    "{}", "TARGETING_KEY_MISSING", "context.targetingKey is missing: give the visitor's code"),
  BadContext(
    #"{"targetingKey": null}"#, "TARGETING_KEY_MISSING",
    "context.targetingKey is missing: give the visitor's code"),
  BadContext(
    #"{"targetingKey": ""}"#, "TARGETING_KEY_MISSING",
    "context.targetingKey is empty: give the visitor's code"),
  BadContext(
    #"{"targetingKey": 5}"#, "INVALID_CONTEXT", "context.targetingKey must be a string"),
  BadContext(
    #"{"targetingKey": "\#(String(repeating: "x", count: 256))"}"#, "INVALID_CONTEXT",
    "context.targetingKey must have 1 to 255 characters"),
  BadContext(
    #"{"targetingKey": "a", "device": "fridge"}"#, "INVALID_CONTEXT",
    "context.device must be one of: phone, tablet, desktop"),
  BadContext(
    #"{"targetingKey": "a", "plan": {"x": 1}}"#, "INVALID_CONTEXT",
    "context.plan must be a string, a number, a Boolean or a list of them"),
  BadContext(
    #"{"targetingKey": "a", "customData": {"plan": [[]]}}"#, "INVALID_CONTEXT",
    "context.customData.plan must be a string, a number, a Boolean or a list of them"),
  BadContext(
    #"{"targetingKey": "a", "customData": 5}"#, "INVALID_CONTEXT",
    "context.customData must be an object of names or indexes and their values"),
  BadContext(
    #"{"targetingKey": "a", "city": "Rennes"}"#, "INVALID_CONTEXT",
    "context.city needs context.country as well"),
  BadContext(
    #"{"targetingKey": "a", "browserVersion": 5}"#, "INVALID_CONTEXT",
    "context.browserVersion needs context.browser as well"),
  BadContext(
    #"{"targetingKey": "a", "pageTitle": "t"}"#, "INVALID_CONTEXT",
    "context.pageTitle needs context.pageUrl as well"),
  BadContext(
    #"{"targetingKey": "a", "appVersion": "new"}"#, "INVALID_CONTEXT",
    "context.appVersion must be a version such as 2.10.1"),
  BadContext(
    #"{"targetingKey": "a", "cookies": {"a": 1}}"#, "INVALID_CONTEXT",
    "context.cookies.a must be a string"),
  BadContext(
    #"{"targetingKey": "a", "consent": "maybe"}"#, "INVALID_CONTEXT",
    "context.consent must be true, false, given or refused"),
  BadContext(
    #"{"targetingKey": "a", "previousVisits": 5}"#, "INVALID_CONTEXT",
    "context.previousVisits must be a list of times"),
  BadContext(
    #"{"targetingKey": "a", "previousVisits": [5, "x"]}"#, "INVALID_CONTEXT",
    "context.previousVisits[1] must be an integer from 0 to 253402300799999"),
  BadContext(
    #"{"targetingKey": "a", "now": -1}"#, "INVALID_CONTEXT",
    "context.now must be an integer from 0 to 253402300799999"),
  BadContext(
    #"{"targetingKey": "a", "utcOffset": 100000}"#, "INVALID_CONTEXT",
    "context.utcOffset must be an integer from -86400 to 86400"),
  BadContext(
    #"{"targetingKey": "a", "forcedVariations": {"x": "on"}}"#, "INVALID_CONTEXT",
    "context.forcedVariations.x must be the id of an experiment"),
  BadContext(
    #"{"targetingKey": "a", "forcedVariations": {"5": "on"}}"#, "INVALID_CONTEXT",
    "context.forcedVariations.5 cannot be forced: no rule carries the experiment 5; check the id and "
      + "the data file's environment"),
]

@Suite("Evaluation contexts")
struct EvaluationContextTests {
  @Test("members become what is known of the visitor", arguments: contextCases)
  func members(_ row: ContextCase) async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(EvaluationFile.probe(row.condition))
      let result = try await Evaluated(
        emulator, "probe", context: #"{"targetingKey": "anna", \#(row.context)}"#)
      #expect(result.status == 200)
      #expect(result.json["value"] == .bool(row.isOn), "\(result.json)")
    }
  }

  @Test("a context that cannot be used is refused with its place", arguments: badContexts)
  func refused(_ row: BadContext) async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(EvaluationFile.probe(custom(3, "gold")))
      let single = try await Evaluated(emulator, "probe", context: row.context)
      #expect(single.status == 400)
      #expect(
        single.json == [
          "key": "probe", "errorCode": .string(row.code), "errorDetails": .string(row.details),
        ])
      let bulk = try await Evaluated(emulator, nil, context: row.context)
      #expect(bulk.status == 400)
      #expect(
        bulk.json == ["errorCode": .string(row.code), "errorDetails": .string(row.details)])
    }
  }

  @Test("names that mean nothing are listed, in their order")
  func ignored() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(EvaluationFile.probe(custom(3, "gold")))
      let context = #"""
        {"targetingKey": "a", "email": "a@b.c", "plan": "gold", "customData": {"size": 4}, "-1": 2}
        """#
      let single = try await Evaluated(emulator, "probe", context: context)
      #expect(single.json["value"] == true)
      #expect(single.json["metadata"]?["ignored"] == "email, customData.size, -1")
      let bulk = try await Evaluated(emulator, nil, context: context)
      #expect(bulk.json["metadata"] == ["ignored": "email, customData.size, -1"])
    }
  }

  @Test("consent, forced variations")
  func consentAndForcing() async throws {
    let split = """
      {"id": 11, "type": "EXPERIMENTATION", "exposition": 1, "experimentId": 111, "segmentId": 7,
       "variationByExposition": [{"variationKey": "on", "variationId": 1, "exposition": 1},
       {"variationKey": "off", "variationId": 2, "exposition": 0}]}
      """
    let file = EvaluationFile.text(
      flags: [
        EvaluationFile.flag("probe", variations: [("off", ""), ("on", "")], rules: split)
      ], segments: [EvaluationFile.segment(7, custom(3, "gold"))],
      more: #", "configuration": {"consentType": "REQUIRED"}"#)
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file)
      func decision(_ members: String) async throws -> JSONValue? {
        let result = try await Evaluated(
          emulator, "probe", context: #"{"targetingKey": "a", \#(members)}"#)
        return result.json["metadata"]?["decision"]
      }
      #expect(try await decision(#""plan": "gold""#) == "experiment")
      #expect(try await decision(#""plan": "gold", "consent": true"#) == "experiment")
      #expect(try await decision(#""plan": "gold", "consent": "given""#) == "experiment")
      #expect(try await decision(#""plan": "gold", "consent": false"#) == "consentRefused")
      #expect(try await decision(#""plan": "gold", "consent": "refused""#) == "consentRefused")
      #expect(try await decision(#""plan": "silver""#) == "noRuleApplied")
      #expect(try await decision(#""forcedVariations": {"111": "off"}"#) == "forced")
    }
  }

  @Test("the context's time counts, else the emulator's; a day begins at the visitor's midnight")
  func time() async throws {
    let hour: Int64 = 3_600_000
    let clock = ManualWallClock(milliseconds: 34 * hour)
    let file = EvaluationFile.probe(
      condition("SAME_DAY_VISITS", #""matchType": "EQUAL", "visitCount": 3"#))
    try await withEmulator(Emulator(wallClock: clock.clock)) { emulator async throws in
      emulator.setDataFile(file)
      func isMet(_ members: String) async throws -> JSONValue? {
        let visits = #""previousVisits": [\#(23 * hour), \#(33 * hour)]"#
        let context = #"{"targetingKey": "a", \#(visits)\#(members)}"#
        return try await Evaluated(emulator, "probe", context: context).json["value"]
      }
      // Ten in the morning: the visit of eleven in the evening was yesterday.
      #expect(try await isMet("") == false)
      #expect(try await isMet(#", "utcOffset": 3600"#) == true)
      #expect(try await isMet(#", "now": \#(23 * hour + 1)"#) == true)
      clock.milliseconds = 23 * hour + 1
      #expect(try await isMet("") == true)
    }
  }
}
