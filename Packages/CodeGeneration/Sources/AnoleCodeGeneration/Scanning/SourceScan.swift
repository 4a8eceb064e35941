// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// Compares the flags that Swift source uses with those of a data file.
///
/// ```swift
/// var scan = SourceScan(dataFile)
/// scan.add(bytes, file: "Checkout.swift")
/// let report = scan.report()
/// ```
///
/// Found are the client's calls (`getVariation(featureKey:)` and its like, `changes(of:)`, look-ups in
/// `getVariations()` and `getDataFile().featureFlags`), other calls with a key under `featureKey:`, the
/// variables that are read of a variation in the same expression or through a local constant, and the names
/// of generated code. Keys may stand as texts or as constants: static members, cases of an enum of strings,
/// constants of the file.
public struct SourceScan: Sendable {
  private struct File: Sendable {
    let name: String
    let references: [FlagReference]
    let lines: LineTable
    /// Constants of the file alone by name; those that may mean several things are left out.
    let constants: [String: String]
    /// The first places of texts that are keys.
    let texts: [ExactText: Int]
  }

  private let variables: [ExactText: Set<ExactText>]
  private let names: GeneratedNames
  private var found = GeneratedNames()
  private var files: [File] = []
  private var generatedFiles: [String] = []
  private var members: [[String]: Set<String>] = [:]

  /// Begins a scan.
  ///
  /// - Parameters:
  ///   - dataFile: The data file to compare with.
  ///   - namespace: The name of the enum of generated code, if no generated file is added.
  public init(_ dataFile: DataFile, namespace: String = "Flags") {
    var variables: [ExactText: Set<ExactText>] = [:]
    for flag in dataFile.featureFlags {
      variables[ExactText(flag.key)] = Set(
        flag.variations.flatMap { $0.variables.map { ExactText($0.key) } })
    }
    self.variables = variables
    names = GeneratedNames(FlagNames(dataFile, namespace: namespace), namespace: namespace)
  }

  /// Adds a source file.
  ///
  /// - Parameters:
  ///   - bytes: Its content; what is no Swift is made the best of.
  ///   - file: What it is called in the report.
  public mutating func add(_ bytes: [UInt8], file: String) {
    let lists = SwiftLexer.lists(of: bytes)
    guard !GeneratedNames.isGenerated(bytes) else {
      generatedFiles.append(file)
      if let tokens = lists.last { found.add(GeneratedNames(generated: tokens)) }
      return
    }
    var references: [FlagReference] = []
    var texts: [ExactText: Int] = [:]
    var constants: [FlagConstant] = []
    var declarations: [String: Int] = [:]
    for tokens in lists {
      references += ReferenceFinder(tokens).references
      let finder = ConstantFinder(tokens)
      constants += finder.constants
      declarations.merge(finder.declarations, uniquingKeysWith: +)
      for token in tokens {
        guard let text = token.text.map({ ExactText($0) }), variables[text] != nil else { continue }
        texts[text] = min(texts[text] ?? .max, token.offset)
      }
    }
    for constant in constants {
      guard let owner = constant.owner else { continue }
      let path = [owner, constant.name] + (constant.isCase ? ["rawValue"] : [])
      members[path, default: []].insert(constant.text)
    }
    let own = constants.filter { !$0.isCase && declarations[$0.name] == 1 }
    files.append(
      File(
        name: file, references: references.sorted { $0.offset < $1.offset },
        lines: LineTable(bytes),
        constants: Dictionary(own.map { ($0.name, $0.text) }) { first, _ in first },
        texts: texts))
  }

  /// What was found in all files that were added.
  public func report() -> ScanReport {
    var uses: [FlagUse] = []
    for file in files {
      uses += file.references.compactMap { use($0, in: file) }
    }
    let used = Set(uses.compactMap { $0.featureKey.map { ExactText($0) } })
    let rest = variables.keys.filter { !used.contains($0) }
      .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    let mentions = rest.compactMap { mention(of: $0) }
    let mentioned = Set(mentions.map { ExactText($0.featureKey) })
    return ScanReport(
      uses: uses, unused: rest.filter { !mentioned.contains($0) }.map(\.text), mentioned: mentions,
      fileCount: files.count, generatedFiles: generatedFiles)
  }

  private func mention(of key: ExactText) -> ScanReport.Mention? {
    for file in files {
      guard let offset = file.texts[key] else { continue }
      return ScanReport.Mention(
        featureKey: key.text, file: file.name, line: file.lines.place(of: offset).line)
    }
    return nil
  }

  /// A reference with its key looked up; nil for what turns out to be something else.
  private func use(_ reference: FlagReference, in file: File) -> FlagUse? {
    let key = key(of: reference.flag, in: file)
    if key == nil, !reference.isCertain { return nil }
    // That the flag cannot be told, or is unknown, has been told where it is read.
    if reference.variableKey != nil, key.map({ variables[ExactText($0)] == nil }) ?? true {
      return nil
    }
    let place = file.lines.place(of: reference.offset)
    return FlagUse(
      file: file.name, line: place.line, column: place.column, call: reference.call,
      featureKey: key, variableKey: reference.variableKey,
      verdict: verdict(key, reference.variableKey))
  }

  private func verdict(_ key: String?, _ variableKey: String?) -> FlagUse.Verdict {
    guard let key else { return .cannotBeTold }
    guard let variables = variables[ExactText(key)] else { return .unknownFlag }
    guard let variableKey else { return .known }
    return variables.contains(ExactText(variableKey)) ? .known : .unknownVariable
  }

  private func key(of flag: FlagReference.Flag, in file: File) -> String? {
    switch flag {
    case .key(let key): return key
    case .expression: return nil
    case .constant(let path):
      if path.count == 1 { return file.constants[path[0]] }
      let length = path.last == "rawValue" ? 3 : 2
      guard let texts = members[Array(path.suffix(length))], texts.count == 1 else { return nil }
      return texts.first
    case .type(let namespace, let name):
      let names = found.isEmpty ? names : found
      return names.key(ofType: name, in: namespace)
    case .method(let property, let name):
      let names = found.isEmpty ? names : found
      return names.key(ofMethod: name, on: property)
    }
  }
}

/// Where the lines of a text begin.
struct LineTable: Sendable {
  private let starts: [Int]

  init(_ bytes: [UInt8]) {
    var starts = [0]
    for (offset, byte) in bytes.enumerated() {
      let isReturn = byte == UInt8(ascii: "\r")
      let isPair = isReturn && offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "\n")
      if byte == UInt8(ascii: "\n") || (isReturn && !isPair) { starts.append(offset + 1) }
    }
    self.starts = starts
  }

  /// Line and column of a byte, from 1.
  func place(of offset: Int) -> (line: Int, column: Int) {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return (low + 1, offset - starts[low] + 1)
  }
}
