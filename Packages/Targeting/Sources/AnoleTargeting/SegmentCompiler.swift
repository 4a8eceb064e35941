// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Builds the flat arrays of a ``SegmentIndex``.
struct SegmentCompiler {
  private(set) var segments: [SegmentIndex.CompiledSegment] = []
  private(set) var groups: [SegmentIndex.CompiledGroup] = []
  private(set) var conditions: [SegmentIndex.CompiledCondition] = []
  private(set) var diagnostics: [Diagnostic] = []
  let positions: [Int64: Int]
  private var compiler: ConditionCompiler
  private var fields = ConditionFields()

  var tables: ConditionTables { compiler.tables }

  static func compile(_ dataFile: DataFile, sdk: SDKIdentity) -> SegmentCompiler {
    var result = SegmentCompiler(dataFile, sdk: sdk)
    for (position, segment) in dataFile.segments.enumerated() {
      let path = { "segments[\(segment.position ?? position)].conditionsData" }
      result.add(segment, path: path())
    }
    result.compiler.tables.holdoutExperimentID = dataFile.holdout?.experimentID
    if result.compiler.needsVariationKeys { result.collectVariationKeys(of: dataFile) }
    result.findStableSegments()
    return result
  }

  private init(_ dataFile: DataFile, sdk: SDKIdentity) {
    var positions: [Int64: Int] = [:]
    for (position, segment) in dataFile.segments.enumerated() { positions[segment.id] = position }
    self.positions = positions
    compiler = ConditionCompiler(
      references: .init(sdk: sdk, segmentPositions: positions, flags: dataFile.featureFlags))
  }

  private mutating func add(_ segment: Segment, path: @autoclosure () -> String) {
    let first = Int32(groups.count)
    switch segment.conditions {
    case .everybody: break
    case .unreadable: addNever("the segment's conditionsData is unreadable")
    case .tree(let text): addTree(text, path: path())
    }
    segments.append(
      SegmentIndex.CompiledSegment(
        id: segment.id, isAudienceTracked: segment.isAudienceTracked,
        groups: first..<Int32(groups.count), isStable: true))
  }

  private mutating func addTree(_ text: RawJSON, path: @autoclosure () -> String) {
    do throws(JSONError) {
      try JSONScanner.scan(text.bytes) { (scanner) throws(JSONError) in
        try readTree(&scanner, path: path())
      }
    } catch {
      addNever("\(error)")
      diagnostics.append(Diagnostic(path: path(), message: "\(error); nobody is targeted"))
    }
  }

  /// A group that nobody is in.
  private mutating func addNever(_ reason: String) {
    let range = appendNever(reason)
    groups.append(SegmentIndex.CompiledGroup(conditions: range, joinsNextWithOr: false))
  }

  // MARK: - Reading

  private mutating func readTree(
    _ scanner: inout JSONScanner, path: @autoclosure () -> String
  ) throws(JSONError) {
    var pending: [Range<Int32>] = []
    var operators: [Bool] = []
    _ = try scanner.object { (key, scanner) throws(JSONError) in
      if try scanner.null() { return }
      switch key {
      case "firstLevel":
        pending = []  // The last one counts if the key occurs twice.
        let isList = try scanner.array { (position, scanner) throws(JSONError) in
          pending.append(try readGroup(&scanner, path: "\(path()).firstLevel[\(position)]"))
        }
        if !isList {
          note("\(path()).firstLevel", "is not a list; nobody is targeted")
          pending = [appendNever("\"firstLevel\" is not a list")]
        }
      case "firstLevelOrOperators":
        operators = try readOperators(&scanner, path: "\(path()).firstLevelOrOperators")
      default: try scanner.skip()
      }
    }
    for (position, range) in pending.enumerated() {
      let joinsWithOr = position < operators.count && operators[position]
      groups.append(
        SegmentIndex.CompiledGroup(conditions: range, joinsNextWithOr: joinsWithOr))
    }
  }

  private mutating func readGroup(
    _ scanner: inout JSONScanner, path: @autoclosure () -> String
  ) throws(JSONError) -> Range<Int32> {
    var read: [(condition: Condition, isNegated: Bool)] = []
    var operators: [Bool] = []
    var isReadable = true
    let isObject = try scanner.object { (key, scanner) throws(JSONError) in
      if try scanner.null() { return }
      switch key {
      case "conditions":
        read = []
        isReadable = try scanner.array { (position, scanner) throws(JSONError) in
          read.append(try readCondition(&scanner, path: "\(path()).conditions[\(position)]"))
        }
      case "orOperators":
        operators = try readOperators(&scanner, path: "\(path()).orOperators")
      default: try scanner.skip()
      }
    }
    guard isObject, isReadable else {
      note(path(), "is not a group of conditions; it never matches")
      return appendNever("the group is unreadable")
    }
    let first = Int32(conditions.count)
    for (position, item) in read.enumerated() {
      conditions.append(
        SegmentIndex.CompiledCondition(
          condition: item.condition, isNegated: item.isNegated,
          joinsNextWithOr: position < operators.count && operators[position]))
    }
    return first..<Int32(conditions.count)
  }

  private mutating func readCondition(
    _ scanner: inout JSONScanner, path: @autoclosure () -> String
  ) throws(JSONError) -> (Condition, isNegated: Bool) {
    let isObject = try fields.read(&scanner)
    guard isObject else {
      note(path(), "is not an object; it never matches")
      return (compiler.never("the condition is not an object"), false)
    }
    let condition = compiler.compile(fields)
    if case .never(let reason) = condition {
      note(path(), "never matches: \(compiler.tables.reasons[Int(reason)])")
    }
    return (condition, fields.isExcluded)
  }

  /// The operators between neighbours; anything but `true` counts as AND.
  private mutating func readOperators(
    _ scanner: inout JSONScanner, path: @autoclosure () -> String
  ) throws(JSONError) -> [Bool] {
    var operators: [Bool] = []
    let isList = try scanner.array { (position, scanner) throws(JSONError) in
      let value = try scanner.bool()
      if value == nil { note("\(path())[\(position)]", "is not a Boolean; taken as AND") }
      operators.append(value ?? false)
    }
    if !isList { note(path(), "is not a list; every operator is taken as AND") }
    return operators
  }

  /// A condition that never matches, as the range of a group.
  private mutating func appendNever(_ reason: String) -> Range<Int32> {
    let position = Int32(conditions.count)
    conditions.append(
      SegmentIndex.CompiledCondition(
        condition: compiler.never(reason), isNegated: false, joinsNextWithOr: false))
    return position..<position + 1
  }

  private mutating func note(_ path: String, _ message: String) {
    diagnostics.append(Diagnostic(path: path, message: message))
  }

  // MARK: - Second pass

  private mutating func collectVariationKeys(of dataFile: DataFile) {
    for flag in dataFile.featureFlags {
      for entry in flag.rules.lazy.flatMap(\.split) {
        guard let id = entry.variationID else { continue }
        compiler.tables.variationKeys[id] = MatchText(entry.variationKey)
      }
    }
  }

  /// Clears `isStable` where a condition looks at assignments or the campaign, directly or through
  /// another segment, until nothing changes any more.
  private mutating func findStableSegments() {
    var referrers: [Int: [Int]] = [:]
    var unstable: [Int] = []
    for position in segments.indices {
      for condition in conditions(of: segments[position]) {
        switch condition.condition {
        case .featureFlag, .experiment, .exclusiveExperiment: unstable.append(position)
        case .segment(let other): referrers[Int(other), default: []].append(position)
        default: break
        }
      }
    }
    while let position = unstable.popLast() {
      guard segments[position].isStable else { continue }
      segments[position].isStable = false
      unstable += referrers[position] ?? []
    }
  }

  private func conditions(
    of segment: SegmentIndex.CompiledSegment
  ) -> ArraySlice<SegmentIndex.CompiledCondition> {
    guard let first = segment.groups.first, let last = segment.groups.last else { return [] }
    let start = Int(groups[Int(first)].conditions.lowerBound)
    return conditions[start..<Int(groups[Int(last)].conditions.upperBound)]
  }
}
