// SPDX-License-Identifier: Apache-2.0

extension DataFileReader {
  mutating func readFeatureFlags(_ scanner: inout JSONScanner) throws(JSONError) {
    dataFile.featureFlags = []
    featureFlagsIsReadable = try scanner.array { (position, scanner) throws(JSONError) in
      try readFlag(&scanner, at: position)
    }
  }

  /// An empty list with room for the usual number of elements, which spares growing in steps.
  private static func emptyList<Element>(for usualCount: Int) -> [Element] {
    var list: [Element] = []
    list.reserveCapacity(usualCount)
    return list
  }

  private mutating func readFlag(
    _ scanner: inout JSONScanner, at position: Int
  ) throws(JSONError) {
    var flag = FeatureFlag()
    var unreadable: String?
    let isObject = try scanner.object { (key, scanner) throws(JSONError) in
      if try scanner.null() { return }
      var isReadable = true
      switch key {
      case "id": isReadable = try assign(scanner.integer(), to: &flag.id)
      case "featureKey": isReadable = try assign(scanner.string(), to: &flag.key)
      case "environmentEnabled":
        isReadable = try assign(scanner.bool(), to: &flag.isEnvironmentEnabled)
      case "defaultVariationKey":
        isReadable = try assign(scanner.string(), to: &flag.defaultVariationKey)
      case "variations":
        flag.variations = Self.emptyList(for: 3)
        isReadable = try scanner.array { (index, scanner) throws(JSONError) in
          try readVariation(&scanner, into: &flag.variations, flag: position, at: index)
        }
      case "rules":
        flag.rules = Self.emptyList(for: 2)
        isReadable = try scanner.array { (index, scanner) throws(JSONError) in
          try readRule(&scanner, into: &flag.rules, flag: position, at: index)
        }
      case "mutuallyExclusiveGroup":
        isReadable = try assign(scanner.string(), to: &flag.mutuallyExclusiveGroup)
      case "bucketingCustomDataId":
        isReadable = try assign(scanner.integer(), to: &flag.bucketingCustomDataID)
      default: try scanner.skip()
      }
      if !isReadable { unreadable = key.string }
    }
    let path = { "featureFlags[\(position)]" }
    guard isObject else { return drop(path(), "is not an object; left out") }
    if let unreadable {
      return drop("\(path()).\(unreadable)", "has the wrong type; flag \"\(flag.key)\" left out")
    }
    if flag.mutuallyExclusiveGroup?.isEmpty == true { flag.mutuallyExclusiveGroup = nil }
    dataFile.featureFlags.append(flag)
  }

  private mutating func readVariation(
    _ scanner: inout JSONScanner, into variations: inout [FlagVariation], flag: Int, at index: Int
  ) throws(JSONError) {
    var variation = FlagVariation()
    var unreadable: String?
    let isObject = try scanner.object { (key, scanner) throws(JSONError) in
      if try scanner.null() { return }
      var isReadable = true
      switch key {
      case "key": isReadable = try assign(scanner.string(), to: &variation.key)
      case "name": isReadable = try assign(scanner.string(), to: &variation.name)
      case "variables":
        variation.variables = Self.emptyList(for: 2)
        isReadable = try scanner.array { (position, scanner) throws(JSONError) in
          let variable = try readVariable(
            &scanner,
            path: "featureFlags[\(flag)].variations[\(index)].variables[\(position)]")
          if let variable { variation.variables.append(variable) }
        }
      default: try scanner.skip()
      }
      if !isReadable { unreadable = key.string }
    }
    let path = { "featureFlags[\(flag)].variations[\(index)]" }
    guard isObject else { return drop(path(), "is not an object; left out") }
    if let unreadable {
      return drop("\(path()).\(unreadable)", "has the wrong type; variation left out")
    }
    variations.append(variation)
  }

  /// A variable; nil if it is unreadable.
  private mutating func readVariable(
    _ scanner: inout JSONScanner, path: @autoclosure () -> String
  ) throws(JSONError) -> Variable? {
    var name: String?
    var type = ""
    var value = JSONValue.null
    var isReadable = true
    let isObject = try scanner.object { (key, scanner) throws(JSONError) in
      switch key {
      case "key": name = try scanner.string()
      case "type":
        if try scanner.null() { return }
        isReadable = try assign(scanner.string(), to: &type)
      case "value": value = try scanner.value()
      default: try scanner.skip()
      }
    }
    guard isObject, isReadable, let name else {
      drop(path(), "is not an object with a key and a type; left out")
      return nil
    }
    guard type == "JSON" else {
      return Variable(key: name, type: type, value: VariableValue(value))
    }
    let document = Self.document(in: value)
    if document == nil { drop("\(path()).value", "is not a string of JSON text; no value") }
    return Variable(key: name, type: type, value: document.map(VariableValue.init) ?? .null)
  }

  /// The document that a `JSON` variable holds as text; nil if it is no text or does not parse.
  private static func document(in value: JSONValue) -> JSONValue? {
    guard case .string(let text) = value else { return nil }
    do throws(JSONError) {
      return try JSONValue(parsing: text)
    } catch {
      return nil  // The caller reports it; section 1.7 wants no value instead of a failure.
    }
  }

  private mutating func readRule(
    _ scanner: inout JSONScanner, into rules: inout [Rule], flag: Int, at index: Int
  ) throws(JSONError) {
    var rule = Rule(id: 0)
    var id: Int64?
    var unreadable: String?
    let path = { "featureFlags[\(flag)].rules[\(index)]" }
    let isObject = try scanner.object { (key, scanner) throws(JSONError) in
      if try scanner.null() { return }
      var isReadable = true
      switch key {
      case "id": isReadable = try assign(scanner.integer(), to: &id)
      case "order": isReadable = try assign(scanner.integer(), to: &rule.order)
      case "type":
        let literal = try scanner.string()
        isReadable = literal != nil
        if let literal { rule.type = RuleType(literal) }
      case "exposition": isReadable = try assign(scanner.double(), to: &rule.exposition)
      case "experimentId": isReadable = try assign(scanner.integer(), to: &rule.experimentID)
      case "variationByExposition":
        isReadable = try assign(readSplit(&scanner, path: path()), to: &rule.split)
      case "segmentId": isReadable = try assign(scanner.integer(), to: &rule.segmentID)
      case "respoolTime": isReadable = try assign(scanner.integer(), to: &rule.respoolTime)
      default: try scanner.skip()
      }
      if !isReadable { unreadable = key.string }
    }
    guard isObject else { return drop(path(), "is not an object; left out") }
    if let unreadable { return drop("\(path()).\(unreadable)", "is unreadable; rule left out") }
    guard let id else { return drop("\(path()).id", "is missing; rule left out") }
    rule.id = id
    rules.append(rule)
  }

  /// A split; nil if an entry is unreadable.
  ///
  /// The whole split goes then, because leaving out one entry would move the visitors of all
  /// entries behind it.
  mutating func readSplit(
    _ scanner: inout JSONScanner, path: @autoclosure () -> String
  ) throws(JSONError) -> [SplitEntry]? {
    var split: [SplitEntry] = []
    var isReadable = true
    let isList = try scanner.array { (position, scanner) throws(JSONError) in
      var entry = SplitEntry()
      var entryIsReadable = true
      let isObject = try scanner.object { (key, scanner) throws(JSONError) in
        if try scanner.null() { return }
        switch key {
        case "variationKey":
          entryIsReadable = try assign(scanner.string(), to: &entry.variationKey) && entryIsReadable
        case "variationId":
          entryIsReadable = try assign(scanner.integer(), to: &entry.variationID) && entryIsReadable
        case "exposition":
          entryIsReadable = try assign(scanner.double(), to: &entry.exposition) && entryIsReadable
        default: try scanner.skip()
        }
      }
      if !isObject || !entryIsReadable {
        isReadable = false
        drop("\(path()).variationByExposition[\(position)]", "is unreadable")
      }
      split.append(entry)
    }
    return isList && isReadable ? split : nil
  }
}
