// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleModelsTesting

func useModels() throws {
  try useJSON()
  try useDataFile()
  useVisitor()
  try useRecord()
  useVersions()
}

private func useJSON() throws {
  let value: JSONValue = [
    "text": "é", "flag": true, "count": 3, "share": 0.5, "list": [1, nil], "none": nil,
  ]
  print(
    value.text(indented: true), value.description, value == (try JSONValue(parsing: value.text())))
  print(
    value["text"]?.stringValue ?? "", value["flag"]?.boolValue ?? false,
    value["count"]?.integerValue ?? 0, value["share"]?.doubleValue ?? 0,
    value["list"]?.arrayValue?.count ?? 0, value.objectValue?.count ?? 0,
    value["list"]?[1]?.isNull ?? false)
  print(JSONValue.Member(key: "k", value: 1) == JSONValue.Member(key: "k", value: 1))
  for number: JSONNumber in [.integer(1), .double(0.5), .big("1e400")] {
    print(number.asInteger ?? 0, number.asDouble ?? 0, number.description)
  }
  let raw = RawJSON(value)
  print(raw.bytes.count, try raw.value() == value)
  do throws(JSONError) {
    _ = try JSONValue(parsing: Array("[1,".utf8), maximumDepth: JSONScanner.maximumDepth)
  } catch {
    let reason: JSONError.Reason = error.reason
    print(reason.description, error.offset, error.line, error.column, error.description)
    let reasons: [JSONError.Reason] = [
      .unexpectedByte, .unexpectedEnd, .trailingBytes, .controlCharacter, .invalidEscape,
      .invalidNumber, .invalidUTF8, .nestedTooDeeply,
    ]
    print(reasons.contains(reason))
  }
  try scan()
  print(PlainDecimal.text(1e21) ?? "", LenientNumber.parse("1.5") ?? 0)
}

private func scan() throws {
  let text =
    #"{"b":true,"i":1,"d":0.5,"n":2,"s":"x","a":[1],"v":{},"r":[],"z":null,"k":"o","u":[2]}"#
  try JSONScanner.scan(Array(text.utf8)) { (scanner) throws(JSONError) in
    _ = try scanner.object { (key: JSONKey, scanner) throws(JSONError) in
      switch key {
      case "b": _ = try scanner.bool()
      case "i": _ = try scanner.integer()
      case "d": _ = try scanner.double()
      case "n": _ = try scanner.number()
      case "s": _ = try scanner.string()
      case "a":
        _ = try scanner.array { (_, scanner) throws(JSONError) in _ = try scanner.integer() }
      case "v": _ = try scanner.value()
      case "r": _ = try scanner.raw()
      case "z": _ = try scanner.null()
      case "k":
        let kind: JSONKind = try scanner.kind()
        print(kind == .string, scanner.offset(), key.string)
        try scanner.skip()
      default: try scanner.skip()
      }
    }
  }
}

private func useDataFile() throws {
  let reading: DataFile.Reading = try DataFile.read(Array(#"{"featureFlags": [{}]}"#.utf8))
  for diagnostic: Diagnostic in reading.diagnostics {
    print(diagnostic.path, diagnostic.message, diagnostic.description)
  }
  print(Diagnostic(path: "p", message: "m") == Diagnostic(path: "p", message: "n"))
  do throws(DataFileError) {
    _ = try DataFile(parsing: [])
    _ = try DataFile.read(ArraySlice<UInt8>())
    print(try DataFile.dateModified(of: []))
  } catch {
    print(error.description)
  }
  var file: DataFile = reading.dataFile
  file.dateModified = Timestamp(milliseconds: 1)
  var configuration = Configuration()
  configuration.isRealTimeUpdate = true
  configuration.isConsentRequired = true
  configuration.consentOptOutBehavior = Configuration.ConsentOptOutBehavior.fullyBlock
  configuration.dataAPIDomain = "example.com"
  file.configuration = configuration
  var definition = CustomDataDefinition(index: 1)
  definition.id = 2
  definition.name = "plan"
  definition.scope = CustomDataDefinition.Scope.visitor
  definition.isLocalOnly = false
  definition.isMappingIdentifier = true
  file.customData = [definition]
  let catalogue = CustomDataCatalogue(file.customData)
  print(
    catalogue.mappingIndex ?? 0, catalogue.index(ofID: 2) ?? 0, catalogue.index(named: "plan") ?? 0,
    catalogue.isLocalOnly(1), catalogue.hasVisitorScope(1), definition.index)
  var segment = Segment(id: 1)
  segment.isAudienceTracked = true
  segment.position = 0
  segment.conditions = Segment.Conditions.everybody
  file.segments = [segment]
  var entry = SplitEntry()
  entry.variationKey = "on"
  entry.variationID = 3
  entry.exposition = 1
  var rule = Rule(id: 4)
  rule.order = 1
  rule.type = RuleType("EXPERIMENTATION")
  rule.exposition = 1
  rule.experimentID = 5
  rule.split = [entry]
  rule.segmentID = segment.id
  rule.respoolTime = 6
  var variation = FlagVariation()
  variation.key = "on"
  variation.name = "On"
  let variable = Variable(key: "k", type: "NUMBER", value: VariableValue(1))
  variation.variables = [variable]
  var flag = FeatureFlag()
  flag.id = 7
  flag.key = "f"
  flag.isEnvironmentEnabled = true
  flag.defaultVariationKey = "on"
  flag.variations = [variation]
  flag.rules = [rule]
  flag.mutuallyExclusiveGroup = "g"
  flag.bucketingCustomDataID = 2
  file.featureFlags = [flag]
  file.holdout = Holdout(experimentID: 8, split: [entry])
  print(rule.id, rule.type.literal, Holdout.inHoldoutKey, file.holdout?.experimentID ?? 0)
  print(file.holdout?.split.count ?? 0, variable.key, variable.type)
  print(
    variable.value.boolValue ?? false, variable.value.intValue ?? 0,
    variable.value.doubleValue ?? 0, variable.value.stringValue ?? "",
    variable.value.jsonValue.description)
}

private func useVersions() {
  print(SemanticVersion("1.2.3-a").map { $0 < $0 } ?? false)
  if let version = AppVersion("1.2.3") {
    print(version.major, version.minor, version.patch, version.majorMinor, version < version)
  }
  print(
    Timestamp(milliseconds: 1) < Timestamp(milliseconds: 2), Timestamp(milliseconds: 1).milliseconds
  )
  print(ExactText("abc") == ExactText("abc"), ExactText("abc").text)
  let text = MatchText("abc")
  print(text.string, text.contains(MatchText("b")), "abc".hasSameBytes(as: "abc"))
  print("abc".withContiguousBytes { $0.count })
}

private func useVisitor() {
  let place = Geolocation(
    country: "France", region: "R", city: "C", postalCode: "P", latitude: 1, longitude: 2)
  print(
    place.country, place.region ?? "", place.city ?? "", place.postalCode ?? "",
    place.latitude ?? 0, place.longitude ?? 0)
  let browser = Browser(type: BrowserType.chrome, version: 120)
  print(browser.type.rawValue, browser.version ?? 0, OperatingSystem.linux.rawValue)
  let cookie = Cookie(name: "n", value: "v")
  print(cookie.name.string, cookie.value.string, Device.desktop.rawValue)
  let now = Timestamp(milliseconds: 1)
  let page = PageView(url: "https://example.com", title: "T", count: 2, lastTime: now)
  print(
    page.url.string, page.title?.string ?? "", page.count, page.lastTime, page.referrers,
    page.isSent)
  let metadata = ConversionMetadata(index: 1, values: ["a"])
  let conversion = Conversion(
    goalID: 1, revenue: 2, isNegative: false, time: now, metadata: [metadata])
  print(
    conversion.goalID, conversion.revenue, conversion.isNegative, conversion.time,
    conversion.metadata.map(\.index), conversion.metadata.map(\.values), conversion.isSent)
  let personalization = Personalization(id: 1, variationID: 2, time: now)
  print(personalization.id, personalization.variationID, personalization.time)
  let targeted = TargetedSegment(id: 1)
  let visit = Visit(start: now, lastActivity: now)
  print(targeted.id, targeted.isSent, visit.start, visit.lastActivity, Visit.limit)
  let scores: KeyMomentScores = [1: [2: 0.5]]
  print(scores.count, BanditScores([1: [2: 0.5]]).groups(of: 1))
  let simulated = SimulatedVariation(featureKey: "f", experimentID: 1, variationID: nil)
  print(simulated.featureKey, simulated.experimentID, simulated.variationID ?? 0)
}

private func useRecord() throws {
  let now = Timestamp(milliseconds: 1_000)
  let catalogue = CustomDataCatalogue()
  var record = VisitorRecord(visitStart: now)
  let data: [VisitorDatum] = [
    .customData(index: 1, values: ["a", "b"]), .device(.phone), .browser(Browser(type: .safari)),
    .conversion(Conversion(goalID: 1, time: now)), .cookies([Cookie(name: "n", value: "v")]),
    .pageView(url: "https://example.com", title: nil), .applicationVersion("1.2.3"),
    .operatingSystem(.linux), .geolocation(Geolocation(country: "France")),
    .assignment(
      Assignment(
        experimentID: 1, variationID: 2, origin: Assignment.Origin.other, time: now, isSent: true)),
  ]
  for source: DatumSource in [.application(isTracked: true), .remote] {
    for datum in data {
      let addition: DatumAddition = record.add(
        datum, visitorCode: "v", from: source, at: now, catalogue: catalogue)
      print(addition == .stored)
    }
  }
  record.add(targetedSegment: 1)
  record.setLegalConsent(true)
  print(record.mayBeTracked(isConsentRequired: true))
  record.adoptMappingIdentifier("m")
  record.force(ForcedVariation(experimentID: 1, entry: SplitEntry(), isTargetingForced: true))
  record.removeForcedVariation(experimentID: 1)
  record.simulate([SimulatedVariation(featureKey: "f", experimentID: 1, variationID: 2)])
  record.save(experimentID: 1, variationID: 2, origin: .experimentation, at: now, isTracked: true)
  print(record.noteActivity(at: now), record.lastActivity ?? now, Visit.idleLimit)
  let pending: [TrackingEvent] = record.pendingEvents(
    isConsentRequired: false, catalogue: catalogue)
  print(pending.count, record.takeEvents(isConsentRequired: false, catalogue: catalogue).count)
  record.markPendingEventsSent(isConsentRequired: false)
  record.expireData(addedBefore: Timestamp(milliseconds: 0))
  let consent: LegalConsent = record.consent
  print(consent, record.mappingIdentifier ?? "", record.hasProfile, record.visitStart)
  for assignment: Assignment in record.assignments.all {
    print(
      assignment.experimentID, assignment.variationID, assignment.origin, assignment.time,
      assignment.isSent)
  }
  var table: AssignmentTable = record.assignments
  table.markSent { _ in true }
  table.removeAll { $0.isSent }
  table.set(
    Assignment(experimentID: 1, variationID: 2, origin: .other, time: now, isSent: false))
  print(table.isEmpty, table[1]?.variationID ?? 0)
  if let profile = record.profile { show(profile) }
  print(record.box?.profile == record.profile)
  let box: VisitorRecord.ProfileBox? = record.box
  print(box == record.box)
  record.updateProfile { print($0.customData.count) }
  do throws(VisitorRecordError) {
    print(try VisitorRecord(decoding: record.encoded()).hasProfile)
    _ = try VisitorRecord(decoding: [])
  } catch {
    print(error.message, error.description)
  }
  for datum in [record.profile?.customDatum(at: 1)].compactMap({ $0 }) { show(datum) }
}

private func show(_ datum: CustomDatum) {
  let first: CustomDatum.Value? = datum.first
  print(
    datum.index, first?.text.string ?? "", first?.number ?? 0, datum.hasValues,
    datum.firstValue.text.string, datum.others.count, datum.isOverwriting,
    datum.isMappingIdentifier, datum.time, datum.isSent, datum.values)
}

private func show(_ profile: VisitorProfile) {
  let place: FoldedPlace = profile.place
  print(
    profile.customData.count, profile.device == nil, profile.operatingSystem == nil,
    profile.geolocation == nil, place.country.string, place.region.string, place.city.string,
    profile.applicationVersion ?? "", profile.parsedApplicationVersion == nil,
    profile.browser == nil, profile.cookies.count)
  print(
    profile.pageViews.count, profile.conversions.count, profile.personalizations.count,
    profile.targetedSegments.count, profile.previousVisits?.count ?? 0,
    profile.previousVisitCount, profile.keyMomentScores.count, profile.banditScores == nil,
    profile.forcedVariations.map { $0.experimentID }, profile.simulatedVariations.count,
    profile.mappingIdentifier ?? "", profile.consent, profile == VisitorProfile())
  for forced: ForcedVariation in profile.forcedVariations {
    print(forced.entry.variationKey, forced.isTargetingForced)
  }
}

func useModelsTesting() {
  var generator = SeededGenerator(seed: 7)
  var mutator = Mutator(seed: generator.next())
  let value: JSONValue = ["a": 1]
  print(mutator.mutate(value), mutator.mutate(Array(value.text().utf8)))
}
