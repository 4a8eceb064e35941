// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

/// `demo`: the guided demonstration.
enum DemoCommand: Command {
  static let name = "demo"
  static let summary = "show the guided demonstration"
  static let synopsis = ""
  static let options: [Option] = []
  static let example = "demo"
  static let notes = ["Decides flags of a built-in shop: who gets what, why, and in which shares."]

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    guard arguments.operands.isEmpty else {
      throw Failure("the demonstration takes no arguments; demo-cli eval decides for a visitor")
    }
    let demonstration = try await Demonstration(in: environment)
    return arguments.has(.json)
      ? Output(json: demonstration.document) : Output(lines: demonstration.lines)
  }
}
