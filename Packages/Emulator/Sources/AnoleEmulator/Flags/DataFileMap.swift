// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Where the values stand in a data file's text that can be changed.
///
/// A key that occurs twice has several places; all of them are changed, so that it does not matter
/// which one a reader takes.
struct DataFileMap {
  /// Where a value stands or, if it is missing, where it can be put.
  struct Place {
    /// The values that are there.
    var values: [Range<Int>] = []
    /// Behind the opening brace of the object.
    let opening: Int
    /// Whether the object has members, so that a comma must follow what is put in.
    var hasMembers = false
  }

  struct Rule {
    var id: Int64?
    var exposition: Place
    /// The places of the shares by entry; nil where the split is not a list of objects.
    var split: [Place]?
  }

  struct Flag {
    var key: String?
    var enabled: Place
    var rules: [Rule] = []
  }

  private(set) var flags: [Flag] = []
  /// The values of `dateModified`.
  private(set) var dates: [Range<Int>] = []

  /// Reads a file.
  ///
  /// - Throws: `JSONError` if the text is not JSON.
  init(_ bytes: [UInt8]) throws(JSONError) {
    self = try JSONScanner.scan(bytes) { (scanner) throws(JSONError) in
      try DataFileMap(&scanner)
    }
  }

  private init(_ scanner: inout JSONScanner) throws(JSONError) {
    _ = try scanner.object { (key, scanner) throws(JSONError) in
      switch key {
      case "dateModified": dates.append(try Self.place(&scanner))
      case "featureFlags":
        flags = []
        _ = try scanner.array { (_, scanner) throws(JSONError) in
          if let flag = try Self.flag(&scanner) { flags.append(flag) }
        }
      default: try scanner.skip()
      }
    }
  }

  private static func place(_ scanner: inout JSONScanner) throws(JSONError) -> Range<Int> {
    let start = scanner.offset()
    return start..<start + (try scanner.raw().bytes.count)
  }

  private static func flag(_ scanner: inout JSONScanner) throws(JSONError) -> Flag? {
    var flag = Flag(enabled: Place(opening: scanner.offset() + 1))
    let isObject = try scanner.object { (key, scanner) throws(JSONError) in
      flag.enabled.hasMembers = true
      switch key {
      case "environmentEnabled": flag.enabled.values.append(try place(&scanner))
      case "featureKey":
        if try scanner.kind() == .string {
          flag.key = try scanner.string()
        } else {
          try scanner.skip()
        }
      case "rules":
        flag.rules = []
        _ = try scanner.array { (_, scanner) throws(JSONError) in
          if let rule = try Self.rule(&scanner) { flag.rules.append(rule) }
        }
      default: try scanner.skip()
      }
    }
    return isObject ? flag : nil
  }

  private static func rule(_ scanner: inout JSONScanner) throws(JSONError) -> Rule? {
    var rule = Rule(exposition: Place(opening: scanner.offset() + 1))
    let isObject = try scanner.object { (key, scanner) throws(JSONError) in
      rule.exposition.hasMembers = true
      switch key {
      case "id":
        if try scanner.kind() == .number {
          rule.id = try scanner.integer()
        } else {
          try scanner.skip()
        }
      case "exposition": rule.exposition.values.append(try place(&scanner))
      case "variationByExposition":
        if try scanner.kind() == .null {
          try scanner.skip()
        } else {
          rule.split = try split(&scanner)
        }
      default: try scanner.skip()
      }
    }
    return isObject ? rule : nil
  }

  private static func split(_ scanner: inout JSONScanner) throws(JSONError) -> [Place]? {
    var places: [Place]? = []
    let isList = try scanner.array { (_, scanner) throws(JSONError) in
      var share = Place(opening: scanner.offset() + 1)
      let isObject = try scanner.object { (key, scanner) throws(JSONError) in
        share.hasMembers = true
        switch key {
        case "exposition": share.values.append(try place(&scanner))
        default: try scanner.skip()
        }
      }
      if isObject { places?.append(share) } else { places = nil }
    }
    return isList ? places : nil
  }
}
