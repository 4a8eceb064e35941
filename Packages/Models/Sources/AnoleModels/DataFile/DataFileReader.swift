// SPDX-License-Identifier: Apache-2.0

/// Why a data file was rejected as a whole (section 1.1, rule 5).
public enum DataFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The bytes are not a JSON document.
  case malformed(JSONError)
  /// The document is JSON, but its root is not an object.
  case rootIsNotAnObject
  /// `featureFlags` is there and not a list.
  case featureFlagsIsNotAList

  /// One sentence with the place and the next step.
  public var description: String {
    switch self {
    case .malformed(let error):
      "data file: \(error); fetch it again or mend it at that place"
    case .rootIsNotAnObject:
      "data file: the root must be a JSON object; check that the address serves a data file"
    case .featureFlagsIsNotAList:
      "data file: \"featureFlags\" must be a list; check the file's format version (v3)"
    }
  }
}

extension DataFile {
  /// A data file and what had to be left out of it.
  public struct Reading: Sendable, Hashable {
    /// What could be read.
    public let dataFile: DataFile
    /// What was dropped or replaced, in file order.
    public let diagnostics: [Diagnostic]
  }

  /// Reads a data file, leniently element by element: an unreadable flag, rule, variation or
  /// variable is left out with a diagnostic, unknown keys are ignored, `null` is the same as
  /// absent.
  ///
  /// - Throws: ``DataFileError`` if the bytes are no JSON, the root is no object, or
  ///   `featureFlags` is no list. The caller keeps its previous file then.
  public static func read(_ bytes: [UInt8]) throws(DataFileError) -> Reading {
    try read(bytes[...])
  }

  /// Reads a data file that is part of an array, without a copy of it; see ``read(_:)-([UInt8])``.
  public static func read(_ bytes: ArraySlice<UInt8>) throws(DataFileError) -> Reading {
    let reader = try DataFileReader(reading: bytes) { (reader, scanner) throws(JSONError) in
      try reader.readRoot(&scanner)
    }
    return Reading(dataFile: reader.dataFile, diagnostics: reader.diagnostics)
  }

  /// When a data file was last changed; zero if it does not say.
  ///
  /// It walks over the rest without reading it, in about a third of the time.
  ///
  /// - Throws: ``DataFileError`` in the same cases as ``read(_:)-([UInt8])``.
  public static func dateModified(of bytes: [UInt8]) throws(DataFileError) -> Timestamp {
    let reader = try DataFileReader(reading: bytes[...]) { (reader, scanner) throws(JSONError) in
      try reader.readDate(&scanner)
    }
    return reader.dataFile.dateModified
  }

  /// Reads a data file and forgets what was left out; see ``read(_:)``.
  public init(parsing bytes: [UInt8]) throws(DataFileError) {
    self = try DataFile.read(bytes).dataFile
  }
}

/// Reads the root and its sections; one method an object kind.
struct DataFileReader {
  var dataFile = DataFile()
  var diagnostics: [Diagnostic] = []
  var featureFlagsIsReadable = true

  init() {}

  /// Notes that a value had the wrong type; the caller then drops its element.
  mutating func drop(_ path: @autoclosure () -> String, _ message: String) {
    diagnostics.append(Diagnostic(path: path(), message: message))
  }

  /// Reads a whole file.
  ///
  /// - Parameter root: reads the root; false if it is no object.
  fileprivate init(
    reading bytes: ArraySlice<UInt8>,
    root: (inout DataFileReader, inout JSONScanner) throws(JSONError) -> Bool
  ) throws(DataFileError) {
    var reader = DataFileReader()
    var isObject = false
    do throws(JSONError) {
      isObject = try JSONScanner.scan(bytes) { (scanner) throws(JSONError) in
        try root(&reader, &scanner)
      }
    } catch {
      throw .malformed(error)
    }
    guard isObject else { throw .rootIsNotAnObject }
    guard reader.featureFlagsIsReadable else { throw .featureFlagsIsNotAList }
    self = reader
  }

  /// Reads when the file was changed and whether its flags could be read, and walks over the rest.
  mutating func readDate(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
    try scanner.object { (key, scanner) throws(JSONError) in
      if try scanner.null() { return }
      switch key {
      case "featureFlags":
        featureFlagsIsReadable = try scanner.kind() == .array
        try scanner.skip()
      case "dateModified": try readDateModified(&scanner)
      default: try scanner.skip()
      }
    }
  }

  private mutating func readDateModified(_ scanner: inout JSONScanner) throws(JSONError) {
    if let milliseconds = try scanner.integer() {
      dataFile.dateModified = Timestamp(milliseconds: milliseconds)
    } else {
      drop("dateModified", "is not an integer; taken as 0")
    }
  }

  mutating func readRoot(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
    try scanner.object { (key, scanner) throws(JSONError) in
      if try scanner.null() { return }
      switch key {
      case "configuration": try readConfiguration(&scanner)
      case "customData": try readCustomData(&scanner)
      case "segments": try readSegments(&scanner)
      case "featureFlags": try readFeatureFlags(&scanner)
      case "holdout": try readHoldout(&scanner)
      case "dateModified": try readDateModified(&scanner)
      default: try scanner.skip()
      }
    }
  }

  private mutating func readConfiguration(_ scanner: inout JSONScanner) throws(JSONError) {
    var configuration = Configuration()
    let isObject = try scanner.object { (key, scanner) throws(JSONError) in
      if try scanner.null() { return }
      switch key {
      case "realTimeUpdate":
        configuration.isRealTimeUpdate = try setting(scanner.bool(), key, "a Boolean") ?? false
      case "consentType":
        let type = try setting(scanner.string(), key, "a string")
        configuration.isConsentRequired = type == "REQUIRED"
      case "consentOptOutBehavior":
        let behavior = try setting(scanner.string(), key, "a string")
        configuration.consentOptOutBehavior =
          behavior == "FULLY_BLOCK" ? .fullyBlock : .partiallyBlock
      case "dataApiDomain":
        configuration.dataAPIDomain = try setting(scanner.string(), key, "a string")
      default: try scanner.skip()
      }
    }
    guard isObject else { return drop("configuration", "is not an object; defaults are used") }
    dataFile.configuration = configuration
  }

  private mutating func setting<Value>(_ value: Value?, _ key: JSONKey, _ kind: String) -> Value? {
    if value == nil { drop("configuration.\(key.string)", "is not \(kind); the default is used") }
    return value
  }

  private mutating func readCustomData(_ scanner: inout JSONScanner) throws(JSONError) {
    dataFile.customData = []
    let isList = try scanner.array { (position, scanner) throws(JSONError) in
      try readCustomDatum(&scanner, at: position)
    }
    if !isList { drop("customData", "is not a list; taken as empty") }
    let claims = dataFile.customData.filter(\.isMappingIdentifier)
    if claims.count > 1, let last = claims.last {
      drop(
        "customData",
        "several entries claim isMappingIdentifier; index \(last.index), the last, wins")
    }
  }

  private mutating func readCustomDatum(
    _ scanner: inout JSONScanner, at position: Int
  ) throws(JSONError) {
    var datum = CustomDataDefinition(index: 0)
    var index: Int64?
    var unreadable: String?
    let isObject = try scanner.object { (key, scanner) throws(JSONError) in
      if try scanner.null() { return }
      var isReadable = true
      switch key {
      case "id": isReadable = try assign(scanner.integer(), to: &datum.id)
      case "index": isReadable = try assign(scanner.integer(), to: &index)
      case "name": isReadable = try assign(scanner.string(), to: &datum.name)
      case "scope":
        let literal = try scanner.string()
        isReadable = literal != nil
        datum.scope = literal.map(Self.scope)
      case "localOnly": isReadable = try assign(scanner.bool(), to: &datum.isLocalOnly)
      case "isMappingIdentifier":
        isReadable = try assign(scanner.bool(), to: &datum.isMappingIdentifier)
      default: try scanner.skip()
      }
      if !isReadable { unreadable = key.string }
    }
    let path = "customData[\(position)]"
    if !isObject { return drop(path, "is not an object; left out") }
    if let unreadable { return drop("\(path).\(unreadable)", "has the wrong type; entry left out") }
    guard let index else { return }  // Not a mistake: section 1.4 wants such an entry ignored.
    guard let index = Int(exactly: index) else {
      return drop("\(path).index", "is out of range; entry left out")
    }
    datum.index = index
    dataFile.customData.append(datum)
  }

  private static func scope(_ literal: String) -> CustomDataDefinition.Scope {
    switch literal {
    case "PAGE": .page
    case "VISIT": .visit
    case "VISITOR": .visitor
    default: .other(literal)
    }
  }

  private mutating func readSegments(_ scanner: inout JSONScanner) throws(JSONError) {
    dataFile.segments = []
    let isList = try scanner.array { (position, scanner) throws(JSONError) in
      try readSegment(&scanner, at: position)
    }
    if !isList { drop("segments", "is not a list; taken as empty") }
  }

  /// A segment with a readable id is kept even if the rest is not: a rule that names an absent
  /// segment is open to everybody, a rule that names an unreadable one to nobody.
  private mutating func readSegment(
    _ scanner: inout JSONScanner, at position: Int
  ) throws(JSONError) {
    var segment = Segment(id: 0)
    var id: Int64?
    let isObject = try scanner.object { (key, scanner) throws(JSONError) in
      if try scanner.null() { return }
      switch key {
      case "id": id = try scanner.integer()
      case "audienceTracking":
        if try !assign(scanner.bool(), to: &segment.isAudienceTracked) {
          drop("segments[\(position)].audienceTracking", "is not a Boolean; taken as false")
        }
      case "conditionsData":
        if try scanner.kind() == .object {
          segment.conditions = .tree(try scanner.raw())
        } else {
          try scanner.skip()
          segment.conditions = .unreadable
          drop("segments[\(position)].conditionsData", "is not an object; nobody is targeted")
        }
      default: try scanner.skip()
      }
    }
    guard isObject else { return drop("segments[\(position)]", "is not an object; left out") }
    guard let id else {
      return drop("segments[\(position)].id", "is not an integer; segment left out")
    }
    segment.id = id
    segment.position = position
    dataFile.segments.append(segment)
  }

  private mutating func readHoldout(_ scanner: inout JSONScanner) throws(JSONError) {
    var experimentID: Int64?
    var split: [SplitEntry]? = []
    let isObject = try scanner.object { (key, scanner) throws(JSONError) in
      if try scanner.null() { return }
      switch key {
      case "experimentId": experimentID = try scanner.integer()
      case "variationByExposition": split = try readSplit(&scanner, path: "holdout")
      default: try scanner.skip()
      }
    }
    guard isObject else { return drop("holdout", "is not an object; no holdout") }
    guard let experimentID else {
      return drop("holdout.experimentId", "is not an integer; no holdout")
    }
    guard let split else { return drop("holdout", "has an unreadable split; no holdout") }
    dataFile.holdout = Holdout(experimentID: experimentID, split: split)
  }
}

/// Stores a value that was read; false if it had the wrong type.
@inline(__always)
func assign<Value>(_ value: Value?, to target: inout Value) -> Bool {
  guard let value else { return false }
  target = value
  return true
}

@inline(__always)
func assign<Value>(_ value: Value?, to target: inout Value?) -> Bool {
  guard let value else { return false }
  target = value
  return true
}
