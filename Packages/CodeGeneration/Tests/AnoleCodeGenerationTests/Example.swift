// SPDX-License-Identifier: Apache-2.0

import AnoleCodeGeneration
import AnoleModels

/// Swift source for the flags of a data file; tells which keys have other names in it.
func source(for text: String) throws -> String {
  let dataFile = try DataFile(parsing: Array(text.utf8))
  let generator = try SwiftGenerator(name: "ShopFlags", access: .public)
  let source = generator.source(for: dataFile)
  for renaming in source.renamings { print(renaming) }
  return source.text
}

/// The places of a source file that use what a data file does not have.
func unknownFlags(in code: String, of text: String) throws -> [String] {
  var scan = SourceScan(try DataFile(parsing: Array(text.utf8)))
  scan.add(Array(code.utf8), file: "Checkout.swift")
  return scan.report().unknown.map { "\($0.file):\($0.line): \($0.featureKey ?? "")" }
}
