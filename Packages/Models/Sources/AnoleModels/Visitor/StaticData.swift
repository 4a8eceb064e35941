// SPDX-License-Identifier: Apache-2.0

/// The kinds of data of which a visitor has at most one.
struct StaticData: OptionSet, Sendable, Hashable {
  let rawValue: UInt16

  static let device = StaticData(rawValue: 1 << 0)
  static let operatingSystem = StaticData(rawValue: 1 << 1)
  static let browser = StaticData(rawValue: 1 << 2)
  static let geolocation = StaticData(rawValue: 1 << 3)
  static let visits = StaticData(rawValue: 1 << 4)
  static let applicationVersion = StaticData(rawValue: 1 << 5)
  static let cookies = StaticData(rawValue: 1 << 6)
  static let keyMomentScores = StaticData(rawValue: 1 << 7)
  static let banditScores = StaticData(rawValue: 1 << 8)
}
