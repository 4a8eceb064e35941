// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Where the configuration in force comes from; an extension.
public enum DataFileOrigin: Sendable, Hashable, Codable, CustomStringConvertible {
  /// It is the one given in the settings.
  case defaultDataFile
  /// It was kept by an earlier start; the platform delivered or confirmed it at that time.
  case stored(since: Date)
  /// The client fetched it, or had it confirmed, at that time.
  case fetched(at: Date)
  /// The client fetched it at that time because the event stream announced it.
  case streamed(at: Date)

  /// The origin in words.
  public var description: String {
    switch self {
    case .defaultDataFile: "default data file"
    case .stored(let time): "stored since \(time.formatted(.iso8601))"
    case .fetched(let time): "fetched at \(time.formatted(.iso8601))"
    case .streamed(let time): "fetched at \(time.formatted(.iso8601)) after a streamed event"
    }
  }
}
