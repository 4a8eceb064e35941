// SPDX-License-Identifier: Apache-2.0

import AnoleDocumentationExamples
import kameleoonClient

/// Runs the examples that create clients; arguments: the path of a data file, then ids of examples.
@main
enum Runner {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2 else {
      Printer().note("usage: AnoleDocumentationRunner DATA-FILE EXAMPLE…")
      exit(2)
    }
    let dataFile = try String(contentsOfFile: arguments[1], encoding: .utf8)
    // The examples here make clients of their own.
    let unused = try KameleoonClientFactory.create(siteCode: "unused")
    var examples = Examples(kameleoonClient: unused, effects: Printer())
    examples.index = 7
    for example in arguments.dropFirst(2) {
      examples.siteCode = "site-\(example)"
      try await run(example, examples, dataFile)
    }
  }

  private static func run(
    _ example: String, _ examples: Examples, _ dataFile: String
  ) async throws {
    var examples = examples
    let config = KameleoonClientConfig(defaultDataFile: dataFile)
    let userConfig = KameleoonClientConfig(isUniqueIdentifier: true, defaultDataFile: dataFile)
    switch example {
    case "K-04": show(examples.k04(dataFile: dataFile))
    case "K-04-empty":
      examples.siteCode = ""
      show(examples.k04(dataFile: dataFile))
    case "K-18": show(examples.k18(dataFile: dataFile))
    case "K-18-long":
      examples.userId = String(repeating: "x", count: 256)
      show(examples.k18(dataFile: dataFile))
    case "K-11": try examples.k11(config: config, userConfig: userConfig)
    case "K-12": try await examples.k12(config: config, userConfig: userConfig)
    case "alone": try alone(examples, config)
    default: Printer().note("unknown example \(example)")
    }
  }

  /// What both visitors of K-11 and K-12 get without anything that links them.
  private static func alone(_ examples: Examples, _ config: KameleoonClientConfig) throws {
    for code in [examples.anonymousVisitorCode, examples.userId] {
      let client = try KameleoonClientFactory.create(
        siteCode: examples.siteCode, visitorCode: code, config: config)
      Printer().note(try client.getVariation(featureKey: "discount").key)
    }
  }

  private static func show(_ clients: [KameleoonClient]) {
    for client in clients { Printer().note("\(client.ready) \(client.visitorCode)") }
  }
}

/// Prints what examples find out, a line each.
struct Printer: Effects {
  func applyDiscount(value: Double) { note("discount \(value)") }

  func applyVariation(recommendedProductsNumber: Int) {
    note("products \(recommendedProductsNumber)")
  }

  func note(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }
}
