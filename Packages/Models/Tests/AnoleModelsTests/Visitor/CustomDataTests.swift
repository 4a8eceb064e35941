// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

/// The specification of evaluation, sections 5.2 and 5.3.
@Suite("Custom data")
struct CustomDataTests {
  @Test("adding again replaces all values of the index")
  func replaces() {
    var visitor = Visitor()
    #expect(visitor.add(.customData(index: 1, values: ["a", "b", "a"])) == .stored)
    #expect(visitor.values(1) == ["a", "b", "a"])
    #expect(visitor.add(.customData(index: 1, values: ["c"], isOverwriting: false)) == .stored)
    #expect(visitor.values(1) == ["c"])
    #expect(visitor.profile.customData.count == 1)
    #expect(visitor.values(9) == nil)
  }

  @Test("no value and an empty value are data")
  func emptyValues() {
    var visitor = Visitor()
    visitor.add(.customData(index: 1, values: []))
    visitor.add(.customData(index: 3, values: [""]))
    #expect(visitor.values(1) == [])
    #expect(visitor.values(3) == [""])
    #expect(visitor.pending == [.plain(1, []), .plain(3, [""])])
  }

  @Test("an index that the data file doesn't declare is stored")
  func undeclared() {
    var visitor = Visitor()
    #expect(visitor.add(.customData(index: 77, values: ["x"])) == .stored)
    #expect(visitor.pending == [.plain(77, ["x"])])
  }

  @Test("a name is resolved when the data are added; an unknown one drops them")
  func names() {
    var visitor = Visitor()
    #expect(visitor.add(.namedCustomData(name: "plan", values: ["pro"])) == .stored)
    #expect(visitor.values(1) == ["pro"])
    for name in ["Plan", "plan ", "", "nope"] {
      guard case .dropped(let reason) = visitor.add(.namedCustomData(name: name, values: ["x"]))
      else {
        Issue.record("\(name) is unknown")
        continue
      }
      #expect(reason.contains("\"\(name)\""))
    }
    let addition = visitor.record.add(
      .namedCustomData(name: "plan", values: ["x"]), visitorCode: "anna",
      from: .application(isTracked: true), at: time(1), catalogue: CustomDataCatalogue())
    #expect(addition != .stored)
    #expect(visitor.values(1) == ["pro"])
    #expect(visitor.profile.customData.count == 1)
  }

  @Test("the server's values never replace local ones")
  func remote() {
    var visitor = Visitor()
    visitor.load(.customData(index: 1, values: ["server"]))
    visitor.load(.customData(index: 1, values: ["server 2"]))
    #expect(visitor.values(1) == ["server"])
    visitor.add(.customData(index: 1, values: ["local"]))
    visitor.load(.customData(index: 1, values: ["server 3"]))
    #expect(visitor.values(1) == ["local"])
    #expect(visitor.pending == [.plain(1, ["local"])])
  }

  @Test("overwrite is only a parameter of the event")
  func overwrite() {
    var visitor = Visitor()
    visitor.add(.customData(index: 1, values: ["a"]))
    visitor.add(.customData(index: 1, values: ["b"], isOverwriting: false))
    #expect(
      visitor.pending == [
        .customData(index: 1, values: ["b"], isOverwriting: false, isMappingIdentifier: false)
      ])
  }

  @Test("a value is read once as text and as number")
  func numbers() {
    var visitor = Visitor()
    visitor.add(.customData(index: 1, values: [" 12.5 ", "x", "1e3"]))
    let datum = visitor.profile.customDatum(at: 1)
    #expect(datum?.first?.text == MatchText(" 12.5 "))
    #expect(datum?.first?.number == 12.5)
    #expect(datum?.others.first?.number.isNaN == true)
    #expect(datum?.others.last?.number == 1000)
    #expect(datum?.first == datum?.first)
    #expect(datum?.others.first == datum?.others.first)
  }
}

@Suite("Mapping identifier")
struct MappingIdentifierTests {
  @Test("the visitor's own code becomes the mapping identifier, and the user is reported")
  func identification() {
    var visitor = Visitor()
    #expect(visitor.add(.customData(index: 2, values: ["user 7"])) == .identified(as: "user 7"))
    #expect(visitor.record.mappingIdentifier == "anna")
    #expect(visitor.values(2) == ["user 7"])
    #expect(visitor.profile.customDatum(at: 2)?.isMappingIdentifier == true)
  }

  @Test("a name leads to the mapping index as well")
  func byName() {
    var visitor = Visitor()
    #expect(
      visitor.add(.namedCustomData(name: "member id", values: ["u"])) == .identified(as: "u"))
    #expect(visitor.record.mappingIdentifier == "anna")
  }

  @Test("once set, the mapping identifier is never changed")
  func neverChanged() {
    var visitor = Visitor()
    visitor.add(.customData(index: 2, values: ["u"]))
    visitor.code = "u"
    #expect(visitor.add(.customData(index: 2, values: ["v"])) == .identified(as: "v"))
    #expect(visitor.record.mappingIdentifier == "anna")
    visitor.record.adoptMappingIdentifier("other")
    #expect(visitor.record.mappingIdentifier == "anna")
    #expect(visitor.values(2) == ["v"])
  }

  @Test("a user whose id is the visitor code needs no second code")
  func sameCode() {
    var visitor = Visitor()
    #expect(visitor.add(.customData(index: 2, values: ["anna"])) == .stored)
    #expect(visitor.record.mappingIdentifier == "anna")
    #expect(visitor.profile.customDatum(at: 2)?.isMappingIdentifier == true)
  }

  @Test("codes are compared byte by byte")
  func normalisation() {
    var visitor = Visitor()
    visitor.code = "caf\u{E9}"
    let addition = visitor.add(.customData(index: 2, values: ["cafe\u{301}"]))
    guard case .identified(let user) = addition else {
      Issue.record("\(addition): the two codes differ in their bytes")
      return
    }
    #expect(user.utf8.elementsEqual("cafe\u{301}".utf8))
  }

  @Test(
    "an empty first value, or none, makes it ordinary custom data", arguments: [[], ["", "u"]])
  func empty(_ values: [String]) {
    var visitor = Visitor()
    #expect(visitor.add(.customData(index: 2, values: values)) == .stored)
    #expect(visitor.record.mappingIdentifier == nil)
    #expect(visitor.pending == [.plain(2, values)])
  }

  @Test("custom data from the server never identify")
  func remote() {
    var visitor = Visitor()
    #expect(visitor.load(.customData(index: 2, values: ["u"])) == .stored)
    #expect(visitor.record.mappingIdentifier == nil)
    #expect(visitor.profile.customDatum(at: 2)?.isMappingIdentifier == false)
    #expect(visitor.pending == [])
  }

  @Test("a code from the server is adopted if none is set, and an empty one never")
  func adoption() {
    var record = VisitorRecord(visitStart: time(0))
    record.adoptMappingIdentifier("")
    #expect(record.mappingIdentifier == nil)
    #expect(!record.hasProfile)
    record.adoptMappingIdentifier("first device")
    record.adoptMappingIdentifier("second device")
    #expect(record.mappingIdentifier == "first device")
  }

  @Test("it goes with every request that consent allows, sent or not, tracked or not")
  func everyRequest() {
    var visitor = Visitor()
    visitor.add(.customData(index: 2, values: ["u"]), track: false)
    for _ in 0..<3 {
      #expect(visitor.pending == [.identifier("u")])
      #expect(visitor.restricted == [])
      visitor.record.markPendingEventsSent(isConsentRequired: false)
    }
  }
}
