// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

struct DistributionCase: Sendable, CustomTestStringConvertible {
  let text: String
  let traits: [[VisitorTrait]]
  init(_ text: String, _ traits: [VisitorTrait]...) {
    self.text = text
    self.traits = traits
  }
  var testDescription: String { text }
}

let distributionCases: [DistributionCase] = [
  DistributionCase(
    "device=phone:0.6,desktop:0.4", [.datum(.device(.phone))], [.datum(.device(.desktop))]),
  DistributionCase("os=ios:1", [.datum(.operatingSystem(.iOS))]),
  DistributionCase("browser=SAFARI:1", [.datum(.browser(Browser(type: .safari)))]),
  DistributionCase(
    "country=Côte d'Ivoire:0.5", [.datum(.geolocation(Geolocation(country: "Côte d'Ivoire")))]),
  DistributionCase("app-version=2.10.1:0.2", [.datum(.applicationVersion("2.10.1"))]),
  DistributionCase("consent=refused:0.3", [.consent(isGiven: false)]),
  DistributionCase(
    "custom:plan=gold:0.1,free:0.9", [.datum(.namedCustomData(name: "plan", values: ["gold"]))],
    [.datum(.namedCustomData(name: "plan", values: ["free"]))]),
  DistributionCase(
    "custom:3=a\\,b:0.5,c:d:0.25", [.datum(.customData(index: 3, values: ["a,b"]))],
    [.datum(.customData(index: 3, values: ["c:d"]))]),
  DistributionCase(
    "custom:a\\=b=x\\\\y:1", [.datum(.namedCustomData(name: "a=b", values: ["x\\y"]))]),
]

struct WrongDistribution: Sendable, CustomTestStringConvertible {
  let text: String
  let sentence: String
  init(_ text: String, _ sentence: String) {
    self.text = text
    self.sentence = sentence
  }
  var testDescription: String { text }
}

let wrongDistributions: [WrongDistribution] = [
  WrongDistribution("", "\"\" is no distribution; write one such as device=phone:0.6,desktop:0.4"),
  WrongDistribution(
    "device", "\"device\" is no distribution; write one such as device=phone:0.6,desktop:0.4"),
  WrongDistribution(
    "device=phone", "\"phone\" in \"device\" has no weight; write VALUE:WEIGHT such as phone:0.6"),
  WrongDistribution(
    "device=phone:much",
    "the weight in \"phone:much\" of \"device\" is no number; write one within 0…1"),
  WrongDistribution("device=fridge:1", "device is one of phone, tablet, desktop, not \"fridge\""),
  WrongDistribution(
    "device=phone:1.5", "the share of \"phone\" in \"device\" is 1.5; shares lie within 0…1"),
  WrongDistribution(
    "device=phone:-0.5", "the share of \"phone\" in \"device\" is -0.5; shares lie within 0…1"),
  WrongDistribution(
    "device=phone:nan",
    "the weight in \"phone:nan\" of \"device\" is no number; write one within 0…1"),
  WrongDistribution(
    "device=phone:0.7,tablet:0.7",
    "the shares of \"device\" sum to 1.4; lower them to 1 at most (what is missing to 1 are "
      + "visitors without the data)"),
  WrongDistribution(
    "planet=mars:1",
    "nothing is called \"planet\"; use device, os, browser, country, app-version, consent, "
      + "custom:INDEX or custom:NAME"),
  WrongDistribution("app-version=new:1", "\"new\" is no version; write one such as 2.10.1"),
  WrongDistribution("consent=maybe:1", "consent is given or refused, not \"maybe\""),
]

@Suite("Distributions of visitor data")
struct DistributionTests {
  @Test("texts are read", arguments: distributionCases)
  func reads(_ row: DistributionCase) throws {
    #expect(try DataDistribution(parsing: row.text).shares.map(\.traits) == row.traits)
  }

  @Test("a mistake gets a sentence with the next step", arguments: wrongDistributions)
  func refuses(_ row: WrongDistribution) {
    #expect(throws: AnalysisError.invalidDistribution(row.sentence)) {
      try DataDistribution(parsing: row.text)
    }
  }

  @Test("visitors draw the shares independently, and the same ones every time")
  func draws() throws {
    let count = 100_000
    let people = try population(count, "device=phone:0.6,desktop:0.3", "custom:1=gold:0.1,free:0.9")
    var devices: [Device?: Int] = [:]
    var both = 0
    for number in 1...count {
      let record = people.record(of: number, catalogue: CustomDataCatalogue())
      let isGold = record.profile?.customDatum(at: 1)?.values == ["gold"]
      devices[record.profile?.device, default: 0] += 1
      if isGold, record.profile?.device == .phone { both += 1 }
      if number < 100 {
        let again = people.record(of: number, catalogue: CustomDataCatalogue())
        #expect(again == record)
      }
    }
    let expected: [(Device?, Double)] = [(.phone, 0.6), (.desktop, 0.3), (nil, 0.1), (.tablet, 0)]
    for (device, share) in expected {
      #expect(abs(Double(devices[device] ?? 0) / Double(count) - share) < 0.005)
    }
    #expect(abs(Double(both) / Double(count) - 0.06) < 0.003)
  }

  @Test("another seed means other data, and the same codes")
  func seeds() throws {
    var first = try population(1_000, "device=phone:0.5")
    var second = first
    first.seed = 1
    second.seed = 2
    let catalogue = CustomDataCatalogue()
    let differing = (1...1_000).filter {
      first.record(of: $0, catalogue: catalogue) != second.record(of: $0, catalogue: catalogue)
    }
    #expect((400...600).contains(differing.count))
    #expect(first.visitorCode(7) == "visitor-7")
  }

  @Test("populations that cannot be are refused")
  func limits() throws {
    let file = try snapshot(oneRule())
    for count in [0, -1, VisitorPopulation.greatestCount + 1] {
      #expect(throws: AnalysisError.self) {
        try Simulation(["f"], in: file, population: population(count))
      }
    }
    var long = try population(10)
    long.prefix = String(repeating: "x", count: 254)
    #expect(
      throws: AnalysisError.invalidPopulation(
        "the prefix of visitor codes is too long; with its number a code has at most 255 "
          + "characters")
    ) { try Simulation(["f"], in: file, population: long) }
    let many = (1...65).map { "v\($0):0.01" }.joined(separator: ",")
    let crowd = try population(10, "custom:1=\(many)", "custom:2=\(many)")
    #expect(
      throws: AnalysisError.invalidPopulation(
        "the distributions have more than 4096 combinations; take fewer, or fewer shares")
    ) { try Simulation(["f"], in: file, population: crowd) }
    let unnamed = try population(10, "custom:plan=gold:1")
    #expect(
      throws: AnalysisError.invalidPopulation(
        "no custom data is named \"plan\" in the data file; check the name, or give the index")
    ) { try Simulation(["f"], in: file, population: unnamed) }
    #expect(throws: AnalysisError.evaluation(.featureNotFound(featureKey: "g"))) {
      try Simulation(["g"], in: file, population: population(10))
    }
  }
}
