// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting
import Testing

private let phone = #"{"targetingType":"DEVICE_TYPE","device":"PHONE"}"#
private let iOS = #"{"targetingType":"OPERATING_SYSTEM","os":"IOS"}"#

private let deviceCases: [ConditionCase] = [
  ConditionCase("the device", phone, [.device(.phone)], is: true),
  ConditionCase("another device", phone, [.device(.tablet)], is: false),
  ConditionCase("no device", phone, is: false),
  ConditionCase("data of another kind", phone, [.operatingSystem(.iOS)], is: false),
  ConditionCase(
    "either case of the literal", #"{"targetingType":"DEVICE_TYPE","device":"phone"}"#,
    [.device(.phone)], is: true),
  ConditionCase(
    "unknown device literal", #"{"targetingType":"DEVICE_TYPE","device":"WATCH"}"#,
    [.device(.phone)], is: false),
  ConditionCase(
    "no device literal", #"{"targetingType":"DEVICE_TYPE"}"#, [.device(.phone)], is: false),
  ConditionCase("the system", iOS, [.operatingSystem(.iOS)], is: true),
  ConditionCase("another system", iOS, [.operatingSystem(.android)], is: false),
  ConditionCase("no system", iOS, is: false),
  ConditionCase(
    "unknown system literal", #"{"targetingType":"OPERATING_SYSTEM","os":"BEOS"}"#,
    [.operatingSystem(.iOS)], is: false),
  ConditionCase(
    "no system literal", #"{"targetingType":"OPERATING_SYSTEM","os":null}"#,
    [.operatingSystem(.iOS)], is: false),
]

private func place(_ fields: String) -> String { #"{"targetingType":"GEOLOCATION",\#(fields)}"# }
private let lyon = place(#""country":"France","region":"Rhône","city":"Lyon""#)

private let placeCases: [ConditionCase] = [
  ConditionCase("country", place(#""country":"France""#), [.place("France")], is: true),
  ConditionCase(
    "country in any case", place(#""country":"fRANCE""#), [.place("FRANCE", "x")], is: true),
  ConditionCase(
    "case folding beyond ASCII", place(#""country":"ÅLAND""#), [.place("åland")], is: true),
  ConditionCase("another country", place(#""country":"France""#), [.place("Spain")], is: false),
  ConditionCase("all three", lyon, [.place("france", "RHÔNE", "lyon")], is: true),
  ConditionCase("another region", lyon, [.place("France", "Ain", "Lyon")], is: false),
  ConditionCase("another city", lyon, [.place("France", "Rhône", "Bron")], is: false),
  ConditionCase("visitor without city", lyon, [.place("France", "Rhône")], is: false),
  ConditionCase("visitor without region", lyon, [.place("France", nil, "Lyon")], is: false),
  ConditionCase("no place", lyon, is: false),
  ConditionCase(
    "no country in the condition", place(#""city":"Lyon""#), [.place("France", nil, "Lyon")],
    is: false),
  ConditionCase("empty country", place(#""country":"""#), [.place("")], is: false),
  ConditionCase(
    "empty region and city are absent", place(#""country":"France","region":"","city":"""#),
    [.place("France", "Ain")], is: true),
  ConditionCase(
    "unreadable region is no absence", place(#""country":"France","region":7"#),
    [.place("France", "Ain")], is: false),
  ConditionCase(
    "unreadable city is no absence", place(#""country":"France","city":["Lyon"]"#),
    [.place("France", "Ain", "Lyon")], is: false),
  ConditionCase(
    "no canonical equivalence", place(#""country":"Re\u0301union""#), [.place("R\u{E9}union")],
    is: false),
]

private func version(_ fields: String) -> String {
  #"{"targetingType":"APPLICATION_VERSION",\#(fields)}"#
}
private func version(_ match: String, _ text: String) -> String {
  version(#""versionMatchType":"\#(match)","version":"\#(text)""#)
}

private let versionCases: [ConditionCase] = [
  ConditionCase("equal", version("EQUAL", "1.2"), [.applicationVersion("1.2.0")], is: true),
  ConditionCase("not equal", version("EQUAL", "1.2"), [.applicationVersion("1.2.1")], is: false),
  ConditionCase("greater", version("GREATER", "1.9.9"), [.applicationVersion("1.10.0")], is: true),
  ConditionCase("not greater", version("GREATER", "1.9"), [.applicationVersion("1.9")], is: false),
  ConditionCase("lower", version("LOWER", "2"), [.applicationVersion("1.99.99")], is: true),
  ConditionCase("not lower", version("LOWER", "2"), [.applicationVersion("2.0.0")], is: false),
  ConditionCase(
    "a fourth component is ignored", version("EQUAL", "1.2.3"), [.applicationVersion("1.2.3.4")],
    is: true),
  ConditionCase(
    "pre-release is cut off", version("EQUAL", "1.2.3"), [.applicationVersion("1.2.3-rc.1")],
    is: true),
  ConditionCase(
    "either case of the operator", version("greater", "1"), [.applicationVersion("2")], is: true),
  ConditionCase("no version known", version("EQUAL", "1"), is: false),
  ConditionCase(
    "visitor's does not parse", version("GREATER", "1"), [.applicationVersion("v2")], is: false),
  ConditionCase(
    "condition's does not parse", version("LOWER", "1..2"), [.applicationVersion("1")], is: false),
  ConditionCase("empty version", version("GREATER", ""), [.applicationVersion("1")], is: false),
  ConditionCase(
    "no version", version(#""versionMatchType":"GREATER""#), [.applicationVersion("1")],
    is: false),
  ConditionCase(
    "version as a number", version(#""versionMatchType":"EQUAL","version":1"#),
    [.applicationVersion("1")], is: false),
  ConditionCase("unknown operator", version("NOT", "1"), [.applicationVersion("1")], is: false),
  ConditionCase(
    "no operator", version(#""version":"1""#), [.applicationVersion("1")], is: false),
]

private func sdk(_ fields: String) -> String { #"{"targetingType":"SDK_LANGUAGE",\#(fields)}"# }

/// The SDK under test is SWIFT 4.27.3.
private let sdkCases: [ConditionCase] = [
  ConditionCase("name", sdk(#""sdkLanguage":"SWIFT""#), is: true),
  ConditionCase("another name", sdk(#""sdkLanguage":"ANDROID""#), is: false),
  ConditionCase("the name's case counts", sdk(#""sdkLanguage":"Swift""#), is: false),
  ConditionCase("no name", sdk(#""version":"4","versionMatchType":"GREATER""#), is: false),
  ConditionCase(
    "version", sdk(#""sdkLanguage":"SWIFT","version":"4.27","versionMatchType":"GREATER""#),
    is: true),
  ConditionCase(
    "another version", sdk(#""sdkLanguage":"SWIFT","version":"4.27","versionMatchType":"LOWER""#),
    is: false),
  ConditionCase(
    "version of another SDK",
    sdk(#""sdkLanguage":"GO","version":"4","versionMatchType":"GREATER""#),
    is: false),
  ConditionCase("empty version is absent", sdk(#""sdkLanguage":"SWIFT","version":"""#), is: true),
  ConditionCase("null version is absent", sdk(#""sdkLanguage":"SWIFT","version":null"#), is: true),
  ConditionCase(
    "unreadable version is no absence", sdk(#""sdkLanguage":"SWIFT","version":4.27"#), is: false),
  ConditionCase(
    "version that does not parse",
    sdk(#""sdkLanguage":"SWIFT","version":"four","versionMatchType":"GREATER""#), is: false),
  ConditionCase(
    "version without operator", sdk(#""sdkLanguage":"SWIFT","version":"4.27.3""#), is: false),
]

private func browser(_ fields: String) -> String { #"{"targetingType":"BROWSER",\#(fields)}"# }
private func chrome(_ match: String, _ version: String) -> String {
  browser(#""browser":"CHROME","versionMatchType":"\#(match)","version":"\#(version)""#)
}
private func chrome(_ version: Double?) -> [VisitorDatum] {
  [.browser(Browser(type: .chrome, version: version))]
}

private let browserCases: [ConditionCase] = [
  ConditionCase("type", browser(#""browser":"CHROME""#), chrome(nil), is: true),
  ConditionCase("another type", browser(#""browser":"SAFARI""#), chrome(12), is: false),
  ConditionCase("no browser", browser(#""browser":"CHROME""#), is: false),
  ConditionCase("unknown literal", browser(#""browser":"LYNX""#), chrome(1), is: false),
  ConditionCase(
    "unknown literal is not OTHER", browser(#""browser":"LYNX""#),
    [.browser(Browser(type: .other))], is: false),
  ConditionCase("no literal", browser(#""version":"1""#), chrome(1), is: false),
  ConditionCase("equal version", chrome("EQUAL", "12.5"), chrome(12.5), is: true),
  ConditionCase("12.10 is read as 12.1", chrome("EQUAL", "12.10"), chrome(12.1), is: true),
  ConditionCase("the patch is dropped", chrome("EQUAL", "12.5.9"), chrome(12.5), is: true),
  ConditionCase("greater", chrome("GREATER", "12.5"), chrome(12.6), is: true),
  ConditionCase("numbers, not versions", chrome("GREATER", "12.9"), chrome(12.1), is: false),
  ConditionCase("lower", chrome("LOWER", "12"), chrome(11.9), is: true),
  ConditionCase("not lower", chrome("LOWER", "12"), chrome(12), is: false),
  ConditionCase("unknown version of the visitor", chrome("LOWER", "12"), chrome(nil), is: false),
  ConditionCase("version 0 of the visitor", chrome("LOWER", "12"), chrome(0), is: false),
  ConditionCase("version that does not parse", chrome("LOWER", "new"), chrome(1), is: false),
  ConditionCase("unknown operator", chrome("ABOUT", "12"), chrome(12), is: false),
  ConditionCase(
    "version as a number", browser(#""browser":"CHROME","version":12"#), chrome(12), is: false),
]

@Suite("Conditions on device, place, versions and browser (4.3)")
struct DeviceConditionTests {
  @Test("DEVICE_TYPE and OPERATING_SYSTEM compare literals", arguments: deviceCases)
  func device(_ row: ConditionCase) throws { try row.verify() }

  @Test("GEOLOCATION compares without regard to case", arguments: placeCases)
  func geolocation(_ row: ConditionCase) throws { try row.verify() }

  @Test("APPLICATION_VERSION compares by the rules of 6.1", arguments: versionCases)
  func applicationVersion(_ row: ConditionCase) throws { try row.verify() }

  @Test("SDK_LANGUAGE compares name and version", arguments: sdkCases)
  func sdkLanguage(_ row: ConditionCase) throws { try row.verify() }

  @Test("BROWSER compares type and decimal version (4.8)", arguments: browserCases)
  func browserVersion(_ row: ConditionCase) throws { try row.verify() }

  @Test("every literal of the format is known", arguments: Device.allCases)
  func allDevices(_ device: Device) throws {
    let text = #"{"targetingType":"DEVICE_TYPE","device":"\#(device.rawValue)"}"#
    #expect(try Fixture.index(condition: text).answer(Fixture.subject([.device(device)])))
  }

  @Test("an SDK whose own version is unreadable matches no version")
  func unreadableSDKVersion() throws {
    let text = sdk(#""sdkLanguage":"SWIFT","version":"1","versionMatchType":"GREATER""#)
    let index = try Fixture.index(
      trees: [Fixture.tree([text])], sdk: .init(name: "SWIFT", version: "next"))
    #expect(!index.answer())
  }

  @Test("the SDK's name is SWIFT unless said otherwise")
  func defaultName() throws {
    let index = try Fixture.index(
      trees: [Fixture.tree([sdk(#""sdkLanguage":"SWIFT""#)])], sdk: .init(version: "1.0"))
    #expect(index.answer())
  }
}
