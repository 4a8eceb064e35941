// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Reads events from what is typed.
enum TrackedInput {
  /// The kinds of `track data` and what follows each.
  static let kinds: [(name: String, values: String)] = [
    ("custom", "INDEX VALUE…"), ("device", "PHONE|TABLET|DESKTOP"),
    ("place", "COUNTRY [REGION [CITY]]"), ("page", "URL [TITLE]"), ("segment", "ID"),
    ("exposure", "EXPERIMENT-ID VARIATION-ID"), ("activity", ""),
  ]

  /// A datum: its kind, then its values.
  static func datum(_ words: [String]) throws(Failure) -> TrackingEvent {
    guard let kind = words.first else {
      throw Failure("track data wants a kind: \(Wording.list(kinds.map(\.name), "or"))")
    }
    let values = Array(words.dropFirst())
    switch kind {
    case "custom":
      let index = try integer(values.first, "custom data index", for: kind)
      return .customData(index: Int(index), values: Array(values.dropFirst()))
    case "device":
      try check(values, 1...1, of: kind)
      guard let device = Device(rawValue: values[0].uppercased()) else {
        let names = Device.allCases.map(\.rawValue)
        throw Failure(
          "\(Printable.quote(values[0])) is no device; there are \(Wording.list(names, "and"))")
      }
      return .device(device)
    case "place":
      try check(values, 1...3, of: kind)
      return .geolocation(
        Geolocation(
          country: values[0], region: values.count > 1 ? values[1] : nil,
          city: values.count > 2 ? values[2] : nil))
    case "page":
      try check(values, 1...2, of: kind)
      return .pageView(url: values[0], title: values.count > 1 ? values[1] : nil)
    case "segment":
      try check(values, 1...1, of: kind)
      return .targetedSegment(id: try integer(values[0], "segment id", for: kind))
    case "exposure":
      try check(values, 2...2, of: kind)
      return .experiment(
        experimentID: try integer(values[0], "experiment id", for: kind),
        variationID: try integer(values[1], "variation id", for: kind))
    case "activity":
      try check(values, 0...0, of: kind)
      return .activity
    default:
      throw Failure(
        "\(Printable.quote(kind)) is no kind of data; there are "
          + Wording.list(kinds.map(\.name), "and"))
    }
  }

  /// Metadata of a conversion: `INDEX=VALUE`, an index as often as it has values.
  static func metadata(_ texts: [String]) throws(Failure) -> [ConversionMetadata] {
    var indexes: [Int] = []
    var values: [Int: [String]] = [:]
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let index = Int(parts[0]), index >= 0 else {
        throw Failure("--metadata wants INDEX=VALUE such as 5=Amex, not \(Printable.quote(text))")
      }
      if values[index] == nil { indexes.append(index) }
      values[index, default: []].append(String(parts[1]))
    }
    return indexes.map { ConversionMetadata(index: $0, values: values[$0] ?? []) }
  }

  /// A whole number that is not negative.
  static func integer(
    _ text: String?, _ what: String, for kind: String
  ) throws(Failure) -> Int64 {
    guard let text else { throw Failure("track data \(kind) wants a \(what)") }
    guard let number = Int64(text), number >= 0 else {
      throw Failure("the \(what) must be a whole number from 0, not \(Printable.quote(text))")
    }
    return number
  }

  private static func check(
    _ values: [String], _ count: ClosedRange<Int>, of kind: String
  ) throws(Failure) {
    guard !count.contains(values.count) else { return }
    let synopsis = kinds.first { $0.name == kind }?.values ?? ""
    throw Failure("write demo-cli track data \(kind) \(synopsis)")
  }
}
