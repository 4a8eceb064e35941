// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How a client is at one moment; an extension.
public struct ClientHealth: Sendable, Hashable, Codable {
  /// The last attempt to get the configuration.
  public struct Fetch: Sendable, Hashable, Codable {
    /// How it ended.
    public enum Outcome: Sendable, Hashable, Codable {
      /// A new configuration is in force.
      case updated
      /// The platform confirmed the one in force.
      case unchanged
      /// None arrived; the sentence says why.
      case failed(String)
    }

    /// When it ended.
    public let time: Date
    /// How it ended.
    public let outcome: Outcome

    /// Makes a record of an attempt.
    ///
    /// - Parameters:
    ///   - time: When it ended.
    ///   - outcome: How it ended.
    public init(time: Date, outcome: Outcome) {
      self.time = time
      self.outcome = outcome
    }
  }

  /// The state of the event stream.
  public enum Stream: String, Sendable, Hashable, Codable {
    /// The configuration does not ask for it.
    case off
    /// It is being opened, or waits for the next attempt.
    case connecting
    /// It is open.
    case open
  }

  /// The state of reports.
  public struct Tracking: Sendable, Hashable, Codable {
    /// How many events wait to be sent.
    public var waiting: Int
    /// When the oldest of them was accepted; nil if none waits.
    public var oldest: Date?
    /// How many events the platform has accepted since the client was made.
    public var sent: Int
    /// How many were given up, by reason.
    public var dropped: [String: Int]
    /// The status code of the last answer; nil if there was none.
    public var lastStatus: Int?
    /// Whether reports pause, because the application is in the background.
    public var isPaused: Bool
    /// Whether the last attempt failed and single requests find out when the platform is back.
    public var isProbing: Bool

    /// Makes a state.
    ///
    /// - Parameters:
    ///   - waiting: How many events wait.
    ///   - oldest: When the oldest of them was accepted.
    ///   - sent: How many were accepted by the platform.
    ///   - dropped: How many were given up, by reason.
    ///   - lastStatus: The status code of the last answer.
    ///   - isPaused: Whether reports pause.
    ///   - isProbing: Whether the platform is being tried after a failure.
    public init(
      waiting: Int = 0, oldest: Date? = nil, sent: Int = 0, dropped: [String: Int] = [:],
      lastStatus: Int? = nil, isPaused: Bool = false, isProbing: Bool = false
    ) {
      self.waiting = waiting
      self.oldest = oldest
      self.sent = sent
      self.dropped = dropped
      self.lastStatus = lastStatus
      self.isPaused = isPaused
      self.isProbing = isProbing
    }
  }

  /// Whether a configuration is in force.
  public var isReady: Bool
  /// Whether the client was closed.
  public var isClosed: Bool
  /// Where the configuration in force comes from; nil while there is none.
  public var dataFileOrigin: DataFileOrigin?
  /// When that configuration was last changed on the platform; nil if it does not say.
  public var dataFileModified: Date?
  /// The last attempt to get the configuration; nil if none has ended.
  public var lastFetch: Fetch?
  /// The event stream.
  public var stream: Stream
  /// Whether state outlives the process; false for a store in memory, also where the folder failed.
  public var isStoreDurable: Bool
  /// The reports.
  public var tracking: Tracking

  /// Makes a state.
  ///
  /// - Parameters:
  ///   - isReady: Whether a configuration is in force.
  ///   - isClosed: Whether the client was closed.
  ///   - dataFileOrigin: Where the configuration comes from.
  ///   - dataFileModified: When it was last changed.
  ///   - lastFetch: The last attempt to get it.
  ///   - stream: The event stream.
  ///   - isStoreDurable: Whether state outlives the process.
  ///   - tracking: The reports.
  public init(
    isReady: Bool, isClosed: Bool = false, dataFileOrigin: DataFileOrigin? = nil,
    dataFileModified: Date? = nil, lastFetch: Fetch? = nil, stream: Stream = .off,
    isStoreDurable: Bool = false, tracking: Tracking = Tracking()
  ) {
    self.isReady = isReady
    self.isClosed = isClosed
    self.dataFileOrigin = dataFileOrigin
    self.dataFileModified = dataFileModified
    self.lastFetch = lastFetch
    self.stream = stream
    self.isStoreDurable = isStoreDurable
    self.tracking = tracking
  }
}
