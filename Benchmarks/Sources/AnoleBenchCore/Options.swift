// SPDX-License-Identifier: Apache-2.0

/// The arguments of the benchmark executable.
public struct Options: Sendable {
  /// The form of the arguments.
  public static let usage =
    "usage: anole-bench --workload W --data DIR [--seconds S] [--rounds R] [--threads N] [--url URL]"

  /// The workload of the contract.
  public var workload = ""
  /// The folder of inputs.
  public var data = ""
  /// How long a sample takes at least, in seconds.
  public var seconds = 0.2
  /// How many samples are taken.
  public var rounds = 5
  /// How many threads work at once.
  public var threads = 1
  /// The server of W10.
  public var url = ""

  /// Reads arguments.
  ///
  /// - Throws: a sentence about the first that is wrong.
  public init(_ arguments: ArraySlice<String>) throws(BenchmarkError) {
    var rest = arguments
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else {
        throw BenchmarkError("\(name): has no value\n\(Self.usage)")
      }
      switch name {
      case "--workload": workload = value
      case "--data": data = value
      case "--seconds": seconds = try Self.number(value, name, in: 0.001...60)
      case "--rounds": rounds = Int(try Self.number(value, name, in: 1...100))
      case "--threads": threads = Int(try Self.number(value, name, in: 1...64))
      case "--url": url = value
      default: throw BenchmarkError("\(name): unknown option\n\(Self.usage)")
      }
    }
    guard !workload.isEmpty else { throw BenchmarkError("no workload named\n\(Self.usage)") }
  }

  private static func number(
    _ text: String, _ name: String, in range: ClosedRange<Double>
  ) throws(BenchmarkError) -> Double {
    guard let number = Double(text), range.contains(number) else {
      throw BenchmarkError(
        "\(name): \(text) is no number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
