// SPDX-License-Identifier: Apache-2.0

import CAnoleGetopt

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The options and operands of one call, read by `getopt_long`: options may be shortened as long
/// as they stay unambiguous, stand anywhere, and end at `--`.
struct Arguments: Sendable {
  private struct Given: Sendable {
    let option: Option
    let value: String
  }

  private var given: [Given] = []
  private let settings: Settings
  /// What is no option, in order.
  private(set) var operands: [String] = []

  /// Reads arguments.
  ///
  /// - Throws: a sentence about the first option that is unknown or given wrongly.
  init(
    _ arguments: [String], options: [Option], settings: Settings = .none
  ) throws(Failure) {
    self.settings = settings
    // A terminating NULL is part of the contract of argv.
    var argv = (["demo-cli"] + arguments).map { strdup($0) } + [nil]
    let strings = argv
    defer { for string in strings { free(string) } }
    let names = options.map { strdup($0.name) }
    defer { for name in names { free(name) } }
    let known = zip(options, names).map { option, name in
      anole_option(
        name: name, letter: option.letter?.asciiValue.map(CChar.init) ?? 0,
        takes_value: option.value != nil)
    }
    // A cluster of letters is several matches in one argument.
    let capacity = arguments.reduce(1) { $0 + 1 + $1.utf8.count }
    var matches = [anole_match](repeating: anole_match(), count: capacity)
    var firstOperand: Int32 = 0
    let count = anole_getopt(
      Int32(argv.count - 1), &argv, known, known.count, &matches, capacity, &firstOperand)
    for match in matches.prefix(count) {
      given.append(try Self.read(match, options))
    }
    operands = argv[Int(firstOperand)...].compactMap { $0.map { String(cString: $0) } }
  }

  private static func read(
    _ match: anole_match, _ options: [Option]
  ) throws(Failure) -> Given {
    let text = match.text.map { String(cString: $0) } ?? ""
    guard match.option >= 0 else { throw unknown(text, options) }
    let option = options[Int(match.option)]
    switch match.kind {
    case anole_match_missing_value:
      throw Failure("\(option.text) needs a value: \(option.text) \(option.value ?? "")")
    case anole_match_unexpected_value:
      throw Failure("\(option.text) takes no value; write it alone")
    default: return Given(option: option, value: text)
    }
  }

  private static func unknown(_ text: String, _ options: [Option]) -> Failure {
    let typed = String(text.prefix { $0 != "=" })
    let matching = options.filter { typed.count > 2 && $0.text.hasPrefix(typed) }.map(\.text)
    if matching.count > 1 {
      return Failure(
        "\(Printable.quote(typed)) is ambiguous; write \(Wording.list(matching, "or"))")
    }
    let near = Nearest.names(to: typed, among: options.map(\.text))
    let hint = near.isEmpty ? "--help lists the options" : "did you mean \(near[0])?"
    return Failure("there is no option \(Printable.quote(typed)); \(hint)")
  }

  // MARK: - Asking

  /// Whether a switch is on, or an option was given.
  func has(_ option: Option) -> Bool { given.contains { $0.option == option } }

  /// The value of an option, the last one if it was given twice, or else that of the settings; nil if
  /// there is none.
  func value(_ option: Option) -> String? {
    given.last { $0.option == option }?.value ?? settings.value(of: option)
  }

  /// The values of an option that may be repeated, in order.
  func values(_ option: Option) -> [String] {
    given.filter { $0.option == option }.map(\.value)
  }

  /// The value of an option as a whole number; nil if it was not given.
  ///
  /// - Throws: a sentence if the value is no whole number within the bounds.
  func integer(_ option: Option, in bounds: ClosedRange<Int64>) throws(Failure) -> Int64? {
    guard let text = value(option) else { return nil }
    guard let number = Int64(text), bounds.contains(number) else {
      throw Failure(
        "\(option.text) wants a whole number from \(bounds.lowerBound) to "
          + "\(bounds.upperBound), not \(Printable.quote(text))")
    }
    return number
  }

  /// The only operand; nil if there is none.
  ///
  /// - Throws: a sentence if there are several.
  func onlyOperand(_ name: String) throws(Failure) -> String? {
    guard operands.count <= 1 else {
      throw Failure(
        "expected one \(name), found \(operands.count): "
          + Wording.list(operands.map(Printable.quote), "and"))
    }
    return operands.first
  }
}
