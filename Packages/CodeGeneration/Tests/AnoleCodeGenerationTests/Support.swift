// SPDX-License-Identifier: Apache-2.0

import AnoleCodeGeneration
import AnoleModels
import Foundation
import Testing

enum Fixture {
  /// The bytes of a file in `Fixtures`.
  static func bytes(_ name: String) throws -> [UInt8] {
    let file = try #require(
      Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil), "\(name) is missing")
    let bytes = Array(try Data(contentsOf: file))
    try #require(!bytes.isEmpty)
    return bytes
  }

  static func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  static func dataFile(_ name: String) throws -> DataFile {
    try DataFile(parsing: bytes(name))
  }
}

extension DataFile {
  /// A data file with flags of one variation, by key; ids in order.
  static func flags(_ keys: [String]) -> DataFile {
    var file = DataFile()
    file.featureFlags = keys.enumerated().map { position, key in
      var flag = FeatureFlag.simple(key)
      flag.id = Int64(position)
      return flag
    }
    return file
  }
}

extension FeatureFlag {
  /// A flag with the variation `off`.
  static func simple(_ key: String) -> FeatureFlag {
    var flag = FeatureFlag()
    flag.key = key
    flag.defaultVariationKey = "off"
    flag.variations = [FlagVariation("off")]
    return flag
  }
}

extension FlagVariation {
  init(_ key: String, _ variables: [Variable] = []) {
    self.init()
    self.key = key
    self.variables = variables
  }
}
